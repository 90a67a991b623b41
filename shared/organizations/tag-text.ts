import * as z from 'zod/mini';

// The form of tags in sends and in filters. Neither name nor value can hold an address.

const part = '[A-Za-z0-9_-]{1,256}';
const wholePart = new RegExp(`^${part}$`);

/** Whether it can be the name or the value of a tag. */
export const isTagText = (text: string): boolean => wholePart.test(text);

/** `name:value`, as filters write tags. */
export const tagFilterText = z.string().check(
  z.regex(new RegExp(`^${part}:${part}$`), {
    error: 'must be a name and a value separated by a colon, such as kind:reset',
  }),
);
