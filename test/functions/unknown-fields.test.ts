import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import type { Endpoint } from '#shared/endpoints/endpoint';
import { readFields } from '#shared/errors/field-error';
import { parseSendRequest } from '#shared/sending/request/send-request';
import { endpointNames, endpointOf } from '../../functions/routes.ts';
import { endpoint as updatePreferences } from '../../functions/update-preferences/update-preferences.ts';
import { buildAttachmentField } from '../support/attachment-builder.ts';
import { buildSendBody } from '../support/send-body-builder.ts';

const declared = endpointNames.map((name) => ({ name, ...endpointOf(name) }));

/** What browsers and mail clients post stays tolerant, and so does a file of another service. */
const isStrict = ({ accepts = ['application/json'] }: Pick<Endpoint, 'accepts'>): boolean =>
  accepts.every((type) => type === 'application/json');

/** `parseSendRequest` picks one of two schemas, so these have a test of their own; and so has a body that is a list. */
const isOther = (name: string): boolean =>
  /^(?:send-(?:global-)?email|(?:resend|postmark)-api-send-email-batch)$/.test(name);

const bodies = declared.flatMap(({ name, body, ...endpoint }) =>
  body !== undefined && isStrict(endpoint) && !isOther(name) ? [{ name, schema: body }] : [],
);

const errorsOf = (schema: z.core.$ZodType, body: unknown) => readFields(schema, body).errors;

/** Not like any name, and too long to be one. */
const foreignName = fc.stringMatching(/^x[a-z]{50}$/);

describe('an unknown query parameter', () => {
  const queries = declared.flatMap(({ name, query, isForPeople = false }) =>
    query ? [{ name, query, isForPeople }] : [],
  );
  const messagesOf = (schema: z.core.$ZodType, name: string) =>
    readFields(schema, { [name]: 'x' }, { noun: 'parameter' }).errors.flatMap(
      ({ path, message }) => (path === name ? [message] : []),
    );

  it.each(queries.filter(({ isForPeople }) => !isForPeople))(
    'is rejected by $name',
    ({ query }) => {
      expect(messagesOf(query, 'utm_source')).toEqual([
        expect.stringMatching(/^unknown parameter: leave it out/),
      ]);
    },
  );

  it.each(queries.filter(({ isForPeople }) => isForPeople))('is ignored by $name', ({ query }) => {
    expect(messagesOf(query, 'utm_source')).toEqual([]);
  });

  it.each([
    ['list-sends', 'stauts', 'did you mean status?'],
    ['list-sends', 'page', 'use cursor'],
    ['list-sends', 'per_page', 'use limit'],
    ['list-sends', 'before', 'use until'],
    ['list-suppressions', 'reasons', 'did you mean reason?'],
  ])('of %s gets advice: %s', async (name, parameter, advice) => {
    const found = queries.find((one) => one.name === name);

    expect(found && messagesOf(found.query, parameter)).toEqual([`unknown parameter: ${advice}`]);
  });
});

describe('an unknown field in a request', () => {
  it('is looked for in every endpoint that takes JSON', () => {
    expect(bodies.length).toBeGreaterThanOrEqual(9);
  });

  it.each(bodies)('is rejected by $name, whatever else the body lacks', ({ schema }) => {
    fc.assert(
      fc.property(foreignName, fc.jsonValue(), fc.jsonValue(), (name, value, subject) => {
        const paths = errorsOf(schema, { subject, [name]: value }).map(({ path }) => path);

        expect(paths).toContain(name);
      }),
      { numRuns: 50 },
    );
  });

  it('is rejected by the sending endpoints, in the body and in an attachment', () => {
    fc.assert(
      fc.property(foreignName, fc.jsonValue(), fc.boolean(), (name, value, isWhole) => {
        const attachments = [buildAttachmentField(), { ...buildAttachmentField(), [name]: value }];
        const body = { ...(isWhole && buildSendBody()), attachments, [name]: value };

        const parsed = parseSendRequest(body, undefined);

        const paths = parsed.ok ? [] : parsed.error.errors?.map(({ path }) => path);
        expect(paths).toEqual(expect.arrayContaining([name, `attachments.1.${name}`]));
      }),
      { numRuns: 50 },
    );
  });

  it('is rejected in a list entry too', async () => {
    const { body } = updatePreferences;
    const subscriptions = [{ categoryKey: 'news', subscribed: false, reason: 'too many' }];

    expect(errorsOf(body, { email: 'ann@example.com', subscriptions })).toEqual([
      { path: 'subscriptions.0.reason', message: expect.stringContaining('unknown field') },
    ]);
  });
});
