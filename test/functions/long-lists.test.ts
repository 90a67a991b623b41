import { describe, expect, it } from 'vitest';
import * as core from 'zod/v4/core';
import { postmarkEmailSchema, postmarkTemplateEmailSchema } from '#shared/postmark/email-request';
import { resendEmailSchema } from '#shared/resend/email-request';
import { endpointNames, endpointOf } from '../../functions/routes.ts';

// A body is read before its key is checked, and zod makes an issue for each faulty entry. Forms are refused by size.

const tooLong = 20_000;
const longList = Array.from({ length: tooLong }, () => ({}));
const longRecord = Object.fromEntries(longList.map((entry, place) => [`${place} `, entry]));

type Place = { readonly path: readonly string[]; readonly wrap: (value: unknown) => unknown };

/** Where a body has a list or a record: `[]` is an entry. */
function placesIn(schema: core.$ZodType, place: Place): readonly Place[] {
  const { path, wrap } = place;
  const inEntry = (entry: core.$ZodType, step: string, around: (value: unknown) => unknown) =>
    placesIn(entry, { path: [...path, step], wrap: (value) => wrap(around(value)) });
  if (schema instanceof core.$ZodPipe) {
    return [schema._zod.def.in, schema._zod.def.out].flatMap((one) => placesIn(one, place));
  }
  if (schema instanceof core.$ZodUnion) {
    return schema._zod.def.options.flatMap((one) => placesIn(one, place));
  }
  if (
    schema instanceof core.$ZodOptional ||
    schema instanceof core.$ZodNullable ||
    schema instanceof core.$ZodDefault
  ) {
    return placesIn(schema._zod.def.innerType, place);
  }
  if (schema instanceof core.$ZodObject) {
    return Object.entries(schema._zod.def.shape).flatMap(([name, field]) =>
      inEntry(field, name, (value) => ({ [name]: value })),
    );
  }
  if (schema instanceof core.$ZodArray) {
    return [place, ...inEntry(schema._zod.def.element, '[]', (value) => [value])];
  }
  if (schema instanceof core.$ZodRecord) {
    return [place, ...inEntry(schema._zod.def.valueType, '{}', (value) => ({ a: value }))];
  }
  return [];
}

/** With those inside unions. */
const countOf = (issues: readonly core.$ZodIssue[]): number =>
  issues
    .map((issue) => (issue.code === 'invalid_union' ? 1 + countOf(issue.errors.flat()) : 1))
    .reduce((sum, count) => sum + count, 0);

const bodies = [
  ...endpointNames.flatMap((name) => {
    const { body, accepts = [] } = endpointOf(name);
    const isForm = accepts.some((type) => type.includes('form'));
    return body === undefined || isForm ? [] : [{ name, body }];
  }),
  { name: 'an email in Resend’s form', body: resendEmailSchema },
  { name: 'an email in Postmark’s form', body: postmarkEmailSchema },
  { name: 'an email by a template in Postmark’s form', body: postmarkTemplateEmailSchema },
];
const places = bodies.flatMap(({ name, body }) =>
  placesIn(body, { path: [], wrap: (value) => value }).map(({ path, wrap }) => ({
    name: `${path.join('.') || 'the body'} of ${name}`,
    body,
    wrap,
  })),
);

describe('a list or record in a body', () => {
  it('is found in every body', () => {
    expect(places.length).toBeGreaterThan(80);
  });

  it.each(places)('produces few issues, however long it is: $name', ({ body, wrap }) => {
    for (const long of [longList, longRecord]) {
      const { error } = core.safeParse(body, wrap(long));

      expect(countOf(error?.issues ?? [])).toBeLessThan(tooLong / 2);
    }
  });
});
