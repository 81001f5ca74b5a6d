import { noteBuild } from './built-from.js';

// The last step of a build: whoever comes next knows that it is up to date.
noteBuild();
