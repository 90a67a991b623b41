import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toFieldError } from '#shared/errors/field-error';

const schema = z.object({
  name: z.string().check(z.minLength(1)),
  limit: z.int().check(z.lte(100)),
  kinds: z.array(z.enum(['one', 'two'])),
  url: z.url(),
});

const errorsOf = (value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(toFieldError);

describe('toFieldError', () => {
  it('says in words what is wrong with each field', () => {
    expect(errorsOf({ name: '', limit: 101, kinds: ['one', 'three'], url: 7 })).toEqual([
      { path: 'name', message: 'Too small: expected string to have >=1 characters' },
      { path: 'limit', message: 'Too big: expected number to be <=100' },
      { path: 'kinds.1', message: 'Invalid option: expected one of "one"|"two"' },
      { path: 'url', message: 'Invalid input: expected string, received number' },
    ]);
  });

  it('names the body when the whole of it is at fault', () => {
    expect(errorsOf([])).toEqual([
      { path: 'body', message: 'Invalid input: expected object, received array' },
    ]);
  });
});
