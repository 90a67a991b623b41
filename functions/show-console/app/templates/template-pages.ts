import { NewTemplate, TemplatePage } from './template.tsx';
import { Templates } from './templates.tsx';

/** Loaded as one file: whoever lists the templates opens one. */
export const templatePages = { NewTemplate, TemplatePage, Templates };
