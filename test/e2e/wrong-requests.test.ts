import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { useTwin } from '../support/twin.ts';

// Common mistakes in a first hour, often by people coming from another service: each answer says in `detail` what to do
// instead, since SDKs and logs often show nothing else.

const { baseUrl, apiKey, manageKey, organizationId, operatorSecret } = await useTwin();

const problemShape = z.object({ status: z.number(), code: z.string(), detail: z.string() });

type Request = {
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
};

async function ask(line: string, { headers, body }: Request = {}) {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${manageKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status, code, detail } = problemShape.parse(await response.json());
  expect(response.status).toBe(status);
  return `${status} ${code}: ${detail}`;
}

const send = 'POST /api/v1/emails/send';
const email = { to: 'ann@example.com', subject: 'Hi', content: 'Hi Ann' };
const attachment = { filename: 'a.txt', contentBase64: 'YQ==' };
const template = (subject: string) => ({ name: 'wrong', subject, content: 'Hi' });

const wrongRequests: readonly (readonly [title: string, line: string, Request, answer: string])[] =
  [
    [
      'several faults',
      send,
      { body: { to: 'ann', subject: '' } },
      '400 validation_failed: to: must be an email address such as name@example.com (and 2 more: see errors)',
    ],
    [
      'neither text nor HTML',
      send,
      { body: { to: 'ann@example.com', subject: 'Hi' } },
      '400 validation_failed: content: is required unless htmlContent is set',
    ],
    [
      'reply_to, as at Resend',
      send,
      { body: { ...email, reply_to: 'bob@example.com' } },
      'reply_to: unknown field: use replyTo',
    ],
    [
      'a path of an attachment, as at Resend',
      send,
      { body: { ...email, attachments: [{ ...attachment, path: 'https://example.com/a' }] } },
      'attachments.0.path: unknown field: use url',
    ],
    [
      'an id that is none',
      send,
      { body: { to: 'ann@example.com', templateId: 'tpl_nope' } },
      'templateId: must be an id copied whole from the API: tpl_ and all that follows it',
    ],
    ['an empty body', send, { body: '' }, '400 malformed_json: The body is empty.'],
    [
      'broken JSON',
      send,
      { body: '{\n  "to": "ann@example.com",\n}' },
      '400 malformed_json: The body is not valid JSON: line 3, column 1.',
    ],
    [
      'the path of Resend',
      'POST /emails',
      { body: email },
      '404 endpoint_not_found: There is no endpoint at this path. Did you mean /api/v1/emails/send?',
    ],
    [
      'half of the path',
      'POST /api/v1/emails',
      { body: email },
      'Did you mean /api/v1/emails/send?',
    ],
    [
      'Basic authentication, as at Mailgun',
      send,
      { body: email, headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}` } },
      '401 invalid_api_key: This service doesn’t support Basic authentication. Send the API key as "Authorization: Bearer <API_KEY>"',
    ],
    [
      'an event in the place of a status',
      'GET /api/v1/sends?status=bounced',
      {},
      'status: must be scheduled, queued, sending, sent, suppressed, failed, canceled: what became of a sent email is its `outcome`, as in ?outcome=bounced',
    ],
    [
      'a misspelt filter',
      'GET /api/v1/sends?stauts=failed',
      {},
      '400 validation_failed: stauts: unknown parameter: did you mean status?',
    ],
    [
      'an if of Handlebars',
      'POST /api/v1/templates',
      { body: template('{{#if name}}Hi{{/if}}') },
      'subject: line 1, column 1: Mustache has no {{#if …}}: write {{#name}} … {{/name}}',
    ],
    [
      'an else of Handlebars',
      'POST /api/v1/templates',
      { body: template('{{#name}}Hi{{else}}Ho{{/name}}') },
      'subject: line 1, column 12: Mustache has no {{else}}',
    ],
    [
      'a default of Liquid',
      'POST /api/v1/templates',
      { body: template('{{x | default: "y"}}') },
      'subject: line 1, column 1: Mustache has no filters',
    ],
    [
      'a helper',
      'POST /api/v1/templates',
      { body: template('On {{formatDate d}}') },
      'subject: line 1, column 4: a tag holds one name, without spaces: Mustache has no helpers',
    ],
    [
      'an event type that is nearly right',
      'POST /api/v1/webhooks',
      { body: { url: 'https://example.com/hook', eventTypes: ['email.bounce'] } },
      'eventTypes.0: did you mean "email.bounced"?',
    ],
    [
      'a key and a link at once',
      'POST /console/session',
      { body: { key: manageKey, link: 'x' } },
      'link: can’t be combined with key: sign in with one of them',
    ],
    [
      'a reason that the address is not suppressed for',
      'DELETE /api/v1/suppressions/ann@example.com',
      {},
      '404 suppression_not_found: The address has no such suppression. An unsubscription is lifted only with `reason=unsubscribe`.',
    ],
  ];

describe('a wrong request', () => {
  it.each(wrongRequests)(
    'with %s gets an answer that says what to do',
    async (_, line, request, answer) => {
      expect(await ask(line, request)).toContain(answer);
    },
  );
});

describe('an operation reserved to the operator', () => {
  const change = (fields: object) =>
    fetch(`${baseUrl}/api/v1/organizations/${organizationId}`, {
      method: 'PATCH',
      headers: { 'x-operator-secret': operatorSecret, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });

  it.each([
    [
      { attachmentsEnabled: false },
      '402 plan_required: Attachments are not enabled for this organization. Send without them, or ask the operator',
      { attachmentsEnabled: true },
    ],
    [
      { paused: true },
      '403 tenant_paused: The operator of this service has paused sending for your organization. Ask them why',
      { paused: false },
    ],
  ])('%o is refused with a hint to the operator', async (fields, answer, before) => {
    await change(fields);

    const body = { ...email, attachments: [attachment] };
    expect(await ask(send, { body })).toContain(answer);

    await change(before);
  });
});
