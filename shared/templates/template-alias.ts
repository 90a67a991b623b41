import * as z from 'zod/mini';

const aliasPattern = /^(?!tpl_)[a-z0-9][a-z0-9._-]{0,99}$/i;

/** A template's name for programs. It can't look like an id. */
export const aliasSchema = z.string().check(
  z.regex(aliasPattern, {
    error:
      'must be 1 to 100 letters, digits, dots, dashes and underscores, begin with a letter or digit, and not with tpl_',
  }),
);
