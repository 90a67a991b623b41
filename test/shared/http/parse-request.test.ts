import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseBody } from '#shared/http/parse-request';
import { serviceErrorOf } from '../../support/service-error.ts';

const schema = z.object({ name: z.string(), items: z.array(z.object({ on: z.boolean() })) });

describe('parseBody', () => {
  it('answers the parsed body', () => {
    const body = { name: 'a', items: [{ on: true }], unknown: 1 };

    expect(parseBody(schema, body)).toEqual({ name: 'a', items: [{ on: true }] });
  });

  it('names the path of each field at fault', async () => {
    const body = { name: 7, items: [{ on: true }, { on: 'yes' }] };

    const error = await serviceErrorOf(() => parseBody(schema, body));

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.map(({ path }) => path)).toEqual(['name', 'items.1.on']);
  });

  it.each([undefined, null, 'text', []])('says of %j that the body is at fault', async (body) => {
    const error = await serviceErrorOf(() => parseBody(schema, body));

    expect(error.errors?.map(({ path }) => path)).toEqual(['body']);
  });
});
