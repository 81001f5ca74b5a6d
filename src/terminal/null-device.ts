import { fstatSync, statSync } from 'node:fs';

/**
 * Whether a descriptor is the null device: what is written there is gone. Node opens it in place of a standard stream
 * that was closed (`>&-`), so that the two cannot be told apart.
 */
export function isNullDevice(descriptor: number | undefined): boolean {
  if (descriptor === undefined) return false;
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    // A descriptor that was closed meanwhile, or a system without this device.
    return false;
  }
}
