import { en } from 'zod/locales';
import { config, type core } from 'zod/mini';
import type { FieldError } from './service-error.ts';

// zod/mini comes without messages: without this line every fault reads "Invalid input".
config(en());

/** An issue of a schema as the caller is told of it; its path is `body` when the whole is at fault. */
export const toFieldError = ({ path, message }: core.$ZodIssue): FieldError => ({
  path: path.join('.') || 'body',
  message,
});
