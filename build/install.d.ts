export function install(below: string): string;
