import * as z from 'zod/mini';

// As sends have tags and filters name them. Neither name nor value can hold an address.

const part = '[A-Za-z0-9_-]{1,256}';
const wholePart = new RegExp(`^${part}$`);

/** As the name or the value of a tag. */
export const isTagText = (text: string): boolean => wholePart.test(text);

/** `name:value`, as a filter gives a tag. */
export const tagFilterText = z.string().check(
  z.regex(new RegExp(`^${part}:${part}$`), {
    error: 'must be a name and a value with a colon between, such as kind:reset',
  }),
);
