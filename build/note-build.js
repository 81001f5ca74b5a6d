import { noteBuild } from './built-from.js';

// The last step of a build notes that `dist/` is up to date.
noteBuild();
