export function noteBuild(): void;
export function isBuilt(): boolean;
