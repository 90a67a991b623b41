import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { readFields } from '#shared/errors/field-error';
import { endpoint as createTemplateEndpoint } from '../../functions/create-template/create-template.ts';
import { endpoint as createWebhookEndpoint } from '../../functions/create-webhook/create-webhook.ts';
import { endpoint as updatePreferencesEndpoint } from '../../functions/update-preferences/update-preferences.ts';
import { endpoint as updateWebhookEndpoint } from '../../functions/update-webhook/update-webhook.ts';

const createTemplate = createTemplateEndpoint.body;
const createWebhook = createWebhookEndpoint.body;
const updatePreferences = updatePreferencesEndpoint.body;
const updateWebhook = updateWebhookEndpoint.body;

const pathsOf = (schema: z.core.$ZodType, body: unknown) =>
  readFields(schema, body).errors.map(({ path }) => path);

/** Faults of single fields, and beside them what only the whole body shows. */
const cases: readonly (readonly [string, z.core.$ZodType, object, readonly string[]])[] = [
  ['create-template', createTemplate, { html: '' }, ['name', 'subject', 'htmlContent', 'html']],
  [
    'create-webhook',
    createWebhook,
    { url: 'ftp://example.com', eventTypes: ['email.opend'], secret: 'mine' },
    ['url', 'eventTypes.0', 'secret'],
  ],
  [
    'update-webhook',
    updateWebhook,
    { url: 'https://10.0.0.1', enabled: 'yes' },
    ['url', 'enabled'],
  ],
  [
    'update-preferences',
    updatePreferences,
    { mail: 'ann@example.com', subscriptions: [] },
    ['subscriptions', 'token', 'mail'],
  ],
];

describe('one answer', () => {
  it.each(cases)('names all errors in a body of %s', (_endpoint, schema, body, paths) => {
    expect(pathsOf(schema, body)).toEqual(paths);
  });

  it('names only the first error in a URL', () => {
    expect(pathsOf(createWebhook, { url: 'not a URL' })).toEqual(['url']);
    expect(pathsOf(createWebhook, { url: `https://${'x'.repeat(3_000)}.example` })).toEqual([
      'url',
    ]);
  });

  it("reports a body that isn't an object as just that", () => {
    for (const [, schema] of cases) expect(pathsOf(schema, [])).toEqual(['body']);
  });
});
