import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toFieldErrors } from '#shared/errors/field-error';
import { parseSendRequest } from '#shared/sending/send-request';
import { buildAttachmentField } from '../support/attachment-builder.ts';
import { buildSendBody } from '../support/send-body-builder.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every schema of a request's body and query, by the folder of its function. */
const schemas = await Promise.all(
  globSync('functions/*/schema.ts', { cwd: root })
    .toSorted()
    .map(async (path) => {
      const module: unknown = await import(resolve(root, path));
      const schema = schemaIn(module, 'requestSchema');
      return { path, schema, query: schemaIn(module, 'querySchema') };
    }),
);
const bodies = schemas.flatMap(({ path, schema }) =>
  schema === undefined || isForm(path) || isSend(path) || isCsv(path) ? [] : { path, schema },
);

/** What browsers and mail clients post stays tolerant. */
function isForm(path: string): boolean {
  return /\/(?:unsubscribe|save-preferences)\//.test(path);
}

/** A file of another service has columns that nobody asks for. */
function isCsv(path: string): boolean {
  return /\/import-suppressions\//.test(path);
}

/** `parseSendRequest` picks one of two schemas, so these have a test of their own. */
function isSend(path: string): boolean {
  return /\/send-(?:global-)?email\//.test(path);
}

function schemaIn(module: unknown, name: string): z.core.$ZodType | undefined {
  const schema = z.record(z.string(), z.unknown()).parse({ ...Object(module) })[name];
  return schema instanceof z.core.$ZodType ? schema : undefined;
}

const errorsOf = (schema: z.core.$ZodType, body: unknown) =>
  toFieldErrors(schema, z.safeParse(schema, body).error?.issues ?? []);

/** Not like any name, and too long to be one. */
const foreignName = fc.stringMatching(/^x[a-z]{50}$/);

/** What people and mail clients open keeps working, whatever was added to the link. */
const isPage = (path: string): boolean =>
  /\/(?:unsubscribe|save-preferences|show-preferences|show-unsubscribe|show-notice-confirmation|confirm-notice-email)\//.test(
    path,
  );

describe('a query parameter that an endpoint does not have', () => {
  const queries = schemas.flatMap(({ path, query }) => (query ? [{ path, query }] : []));
  const messagesOf = (schema: z.core.$ZodType, name: string) =>
    toFieldErrors(
      schema,
      z.safeParse(schema, { [name]: 'x' }).error?.issues ?? [],
      'parameter',
    ).flatMap(({ path, message }) => (path === name ? [message] : []));

  it.each(queries.filter(({ path }) => !isPage(path)))('is refused by $path', ({ query }) => {
    expect(messagesOf(query, 'utm_source')).toEqual([
      expect.stringMatching(/^unknown parameter: leave it out/),
    ]);
  });

  it.each(queries.filter(({ path }) => isPage(path)))('is ignored by $path', ({ query }) => {
    expect(messagesOf(query, 'utm_source')).toEqual([]);
  });

  it.each([
    ['list-sends', 'stauts', 'did you mean status?'],
    ['list-sends', 'page', 'use cursor'],
    ['list-sends', 'per_page', 'use limit'],
    ['list-sends', 'before', 'use until'],
    ['list-suppressions', 'reasons', 'did you mean reason?'],
  ])('of %s gets advice: %s', async (name, parameter, advice) => {
    const found = queries.find(({ path }) => path === `functions/${name}/schema.ts`);

    expect(found && messagesOf(found.query, parameter)).toEqual([`unknown parameter: ${advice}`]);
  });
});

describe('a field that a request does not have', () => {
  it('is looked for in every endpoint that takes JSON', () => {
    expect(bodies.length).toBeGreaterThanOrEqual(9);
  });

  it.each(bodies)('is refused by $path, whatever else the body lacks', ({ schema }) => {
    fc.assert(
      fc.property(foreignName, fc.jsonValue(), fc.jsonValue(), (name, value, subject) => {
        const paths = errorsOf(schema, { subject, [name]: value }).map(({ path }) => path);

        expect(paths).toContain(name);
      }),
      { numRuns: 50 },
    );
  });

  it('is refused by the endpoints that send, in the body and in an attachment', () => {
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

  it('is refused in an entry of a list too', async () => {
    const { requestSchema } = await import('../../functions/update-preferences/schema.ts');
    const subscriptions = [{ categoryKey: 'news', subscribed: false, reason: 'too many' }];

    expect(errorsOf(requestSchema, { email: 'ann@example.com', subscriptions })).toEqual([
      { path: 'subscriptions.0.reason', message: expect.stringContaining('unknown field') },
    ]);
  });
});
