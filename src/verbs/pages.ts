export {
  allPages,
  type FetchResources,
  type ListCounts,
  type ListWatch,
  takeAllPages,
} from '../commands/resource/pages.js';
