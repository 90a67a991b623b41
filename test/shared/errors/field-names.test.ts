import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fieldNamesAt } from '#shared/errors/field-names';

const entry = z.pipe(
  z.strictObject({ filename: z.string(), size: z.exactOptional(z.int()) }),
  z.transform(({ filename }) => filename),
);
const body = z.pipe(
  z.strictObject({
    to: z.string(),
    list: z._default(z.array(entry), []),
    either: z.optional(
      z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
    ),
    gone: z.exactOptional(z.never()),
    ignored: z.optional(z.unknown()),
  }),
  z.transform(({ to }) => to),
);

describe('fieldNamesAt', () => {
  it.each<[string, readonly PropertyKey[], readonly string[]]>([
    ['the whole, without what may only be absent or does not count', [], ['to', 'list', 'either']],
    ['an entry of a list', ['list', 3], ['filename', 'size']],
    ['every part of a union', ['either'], ['a', 'b']],
    ['a text', ['to'], []],
    ['a field that is none', ['other', 'inner'], []],
    ['a part of every object', ['__proto__'], []],
  ])('finds those of %s', (_what, path, names) => {
    expect(fieldNamesAt(body, path)).toEqual(names);
  });
});
