import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { parseForm, parseFormLists, parseParameters } from '#shared/http/parse-request';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('parseParameters', () => {
  const query = z.object({ limit: z.optional(z.string().check(z.maxLength(2))) });

  it('answers the parameters that the schema knows', () => {
    expect(parseParameters(query, { limit: '20', utm_source: 'x' })).toEqual({ limit: '20' });
  });

  it('names the parameter at fault', async () => {
    const error = await serviceErrorOf(() => parseParameters(query, { limit: '200' }));

    expect(error.errors?.map(({ path }) => path)).toEqual(['limit']);
  });
});

describe('parseForm', () => {
  const form = z.object({ email: z.optional(z.string()), token: z.optional(z.string()) });
  const parse = (text: string) => parseForm(form, new URLSearchParams(text));

  it('takes the first value of a field that is repeated', () => {
    expect(parse('email=one&email=other&List-Unsubscribe=One-Click')).toEqual({ email: 'one' });
  });

  it('is not misled by a field named after a part of the language', () => {
    expect(parse('__proto__=x&constructor=y&token=t')).toEqual({ token: 't' });
  });
});

describe('parseFormLists', () => {
  it('takes every value of a field, in order', () => {
    const form = z.object({ shown: z.array(z.string()), all: z.optional(z.array(z.string())) });

    const parsed = parseFormLists(form, new URLSearchParams('shown=b&shown=a'));

    expect(parsed).toEqual({ shown: ['b', 'a'] });
  });

  it('looks up no name once for each time that it is repeated', () => {
    const form = z.object({ shown: z.array(z.string()) });
    const fields = new URLSearchParams('shown=a&'.repeat(1_000));
    const lookups = vi.spyOn(fields, 'getAll');

    const { shown } = parseFormLists(form, fields);

    expect(shown).toHaveLength(1_000);
    expect(lookups.mock.calls.length).toBeLessThanOrEqual(1);
  });
});
