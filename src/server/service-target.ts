/** What the server answers by itself, outside the service's URL space [ours]. */
const ownPath = /^\/(?:_control|console|healthz)(?:[/?]|$)/;

/** Whether a target belongs to the service of the reference. */
export function isServiceTarget(target: string): boolean {
  return !ownPath.test(target);
}
