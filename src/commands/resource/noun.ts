import type { Api, ResourceApi } from '../../client/api.js';
import type { Resource } from '../../contract/resource.js';
import type { View } from '../../terminal/printer.js';

/** What the verbs that all resources share need to know of one. */
export interface Noun {
  /** The command, such as `connections`. */
  readonly command: string;
  /** As sentences name it. */
  readonly singular: string;
  readonly plural: string;
  /** An ID for examples. */
  readonly exampleId: string;
  readonly api: (api: Api) => Pick<ResourceApi, 'list' | 'get' | 'delete'>;
  readonly view: View<Resource>;
  /** Whether the reference shows the list; the other verbs it never shows. */
  readonly listInReference?: boolean;
}
