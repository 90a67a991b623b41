import { Errors, Message, Models, ServerClient, TemplatedMessage } from 'postmark';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { postmarkApi } from '#shared/postmark/unsupported-routes';
import { daysBefore } from '#shared/timing/day';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

/** Postmark's own client, as released; only its host and token differ. */
const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin();
const requestHost = `${new URL(baseUrl).host}/postmark`;
const clientWith = (token: string) => new ServerClient(token, { useHttps: false, requestHost });
const postmark = clientWith(apiKey);
const full = clientWith(manageKey);
const From = 'Northwind <hello@mail.example.com>';

const hello = (fields: Partial<Message> = {}): Message =>
  Object.assign(new Message(From, 'Hello', undefined, 'Hello', 'ann@example.com'), fields);
const welcome = (To: string, name: unknown = 'welcome') => ({
  ...{ From, To, TemplateModel: { name: 'Tess' } },
  ...(typeof name === 'number' ? { TemplateId: name } : { TemplateAlias: `${name}` }),
});
const inboxOf = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination?.to.includes(address));

async function manage(path: string, body: object) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

const errorOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

let templateId = '';
beforeAll(async () => {
  const created = await manage('/api/v1/templates', {
    ...{ name: 'Welcome', alias: 'welcome', subject: 'Welcome, {{name}}' },
    content: 'Hello {{name}}',
  });
  templateId = z.object({ id: z.string() }).parse(created).id;
  await manage('/api/v1/suppressions', { email: 'gone@example.com' });
});

describe('Postmark’s client for Node.js', () => {
  it('sends an email with every field it supports', async () => {
    const answer = await postmark.sendEmail({
      From,
      To: '"Lee, Ann" <ann@example.com>, bob@example.com',
      Cc: 'carl@example.com',
      Bcc: 'dora@example.com',
      ReplyTo: 'help@example.com',
      Subject: 'Your receipt',
      HtmlBody: '<p>Thank you <img src="cid:logo"></p>',
      TextBody: 'Thank you',
      Tag: 'receipt',
      Metadata: { order: '7' },
      Headers: [{ Name: 'X-Order', Value: '7' }],
      TrackOpens: false,
      TrackLinks: Models.LinkTrackingOptions.None,
      MessageStream: 'outbound',
      Attachments: [
        new Models.Attachment('receipt.txt', 'cGFp\nZA==', 'text/plain'),
        new Models.Attachment('logo.png', 'iVBORw0KGgo=', 'image/png', 'cid:logo'),
      ],
    });

    expect(answer).toEqual({
      To: '"Lee, Ann" <ann@example.com>, bob@example.com',
      Cc: 'carl@example.com',
      Bcc: 'dora@example.com',
      SubmittedAt: expect.stringMatching(/Z$/),
      MessageID: expect.stringMatching(/^snd_/),
      ErrorCode: 0,
      Message: 'OK',
    });
    expect(await inboxOf('bob@example.com')).toMatchObject([
      {
        from: '"Northwind" <hello@mail.example.com>',
        replyTo: ['help@example.com'],
        destination: { cc: ['carl@example.com'], bcc: ['dora@example.com'] },
        subject: 'Your receipt',
        body: { html: '<p>Thank you <img src="cid:logo"></p>', text: 'Thank you' },
        headers: [{ name: 'X-Order', value: '7' }],
        attachments: [
          { filename: 'receipt.txt', content: btoa('paid'), contentType: 'text/plain' },
          { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
        ],
      },
    ]);
    expect(await full.getOutboundMessageDetails(answer.MessageID)).toMatchObject({
      To: [{ Email: 'ann@example.com' }, { Email: 'bob@example.com' }],
      Recipients: [
        ...['ann@example.com', 'bob@example.com', 'carl@example.com', 'dora@example.com'],
      ],
      ...{ Tag: 'receipt', Metadata: { order: '7' }, MessageStream: 'outbound' },
      ...{ TrackOpens: false, TrackLinks: 'None', Sandboxed: false },
    });
  });

  it('follows a message until it is delivered', async () => {
    const { MessageID } = await full.sendEmail(hello());

    await vi.waitUntil(async () => {
      const { MessageEvents } = await full.getOutboundMessageDetails(MessageID);
      return MessageEvents.some(({ Type }) => Type === 'Delivered');
    }, patience);

    const message = await full.getOutboundMessageDetails(MessageID);
    expect(message).toMatchObject({ MessageID, Status: 'Sent', Subject: 'Hello', From });
  });

  it('sends by the alias of a template', async () => {
    const { MessageID } = await postmark.sendEmailWithTemplate(
      new TemplatedMessage(From, 'welcome', { name: 'Tess' }, 'tess@example.com'),
    );

    expect(MessageID).toMatch(/^snd_/);
    const [email] = await inboxOf('tess@example.com');
    expect(email).toMatchObject({ subject: 'Welcome, Tess' });
  });

  it('sends a batch except for the invalid email', async () => {
    const [first, second, third, fourth] = await postmark.sendEmailBatch([
      hello({ To: 'b1@example.com' }),
      hello({ To: 'nobody' }),
      hello({ To: 'gone@example.com' }),
      hello({ To: 'b2@example.com' }),
    ]);

    expect(first).toMatchObject({ ErrorCode: 0, To: 'b1@example.com' });
    expect(second).toEqual({ ErrorCode: 300, Message: expect.stringContaining('`To` must be') });
    expect(third).toEqual({ ErrorCode: 406, Message: expect.stringContaining('gone@example.com') });
    expect(fourth).toMatchObject({ ErrorCode: 0, To: 'b2@example.com' });
    expect(await inboxOf('b1@example.com')).toHaveLength(1);
    expect(await inboxOf('b2@example.com')).toHaveLength(1);
  });

  it('sends a batch by templates', async () => {
    const answers = await postmark.sendEmailBatchWithTemplates([
      welcome('t1@example.com'),
      welcome('t2@example.com', 'no-such-template'),
    ]);

    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101]);
    expect(await inboxOf('t1@example.com')).toHaveLength(1);
  });

  it('gets the inactive addresses, whether or not a recipient remains', async () => {
    const nobody = await errorOf(postmark.sendEmail(hello({ To: 'gone@example.com' })));
    const somebody = await postmark.sendEmail(
      hello({ To: 'here@example.com', Cc: 'gone@example.com' }),
    );

    expect(nobody).toBeInstanceOf(Errors.InactiveRecipientsError);
    expect(nobody).toMatchObject({ code: 406, recipients: ['gone@example.com'] });
    expect(somebody).toMatchObject({
      ErrorCode: 0,
      Message: expect.stringMatching(/these inactive addresses: gone@example\.com\. Inactive/),
    });
  });

  it('lists what bounced', async () => {
    const To = 'bounce@simulator.amazonses.com';
    const { MessageID } = await full.sendEmail(hello({ To, Tag: 'lost' }));

    await vi.waitUntil(async () => {
      const { Bounces } = await full.getBounces({ messageID: MessageID });
      return Bounces.length === 1;
    }, patience);

    const byTag = await full.getBounces({ tag: 'lost', count: 10 });
    expect(byTag.TotalCount).toBe(1);
    expect(byTag.Bounces).toEqual([
      expect.objectContaining({
        MessageID,
        Email: To,
        Type: 'HardBounce',
        TypeCode: 1,
        Tag: 'lost',
      }),
    ]);
    const others = await full.getBounces({ tag: 'kept' });
    expect(others).toEqual({ TotalCount: 0, Bounces: [] });
    const complaints = await full.getBounces({ type: Models.BounceType.SpamComplaint });
    expect(complaints.Bounces).toEqual([]);
  });

  it("lists a day's bounces by its start and end date", async () => {
    const To = 'bounce+dated@simulator.amazonses.com';
    const Tag = 'dated';
    await full.sendEmail(hello({ To, Tag }));
    const listed = async (dates: Partial<Models.BounceFilteringParameters> = {}) =>
      (await full.getBounces({ tag: Tag, ...dates })).Bounces;
    await vi.waitUntil(async () => (await listed()).length === 1, patience);
    const [bounce] = await listed();
    const day = bounce?.BouncedAt.slice(0, 10) ?? '';
    const dayBefore = daysBefore(day, 1);

    expect(await listed({ fromDate: day, toDate: day })).toEqual([bounce]);
    expect(await listed({ toDate: dayBefore })).toEqual([]);
    expect(await listed({ toDate: `${day}T00:00:00Z` })).toEqual([]);
    expect(await errorOf(listed({ toDate: '2026-02-30' }))).toMatchObject({
      message: expect.stringContaining('ISO 8601'),
    });
  });
});

describe('an email whose recipients are all suppressed', () => {
  it('is a suppressed send, not a rejected request', async () => {
    const headers = { authorization: `Bearer ${manageKey}` };
    await errorOf(postmark.sendEmail(hello({ To: 'gone@example.com', Subject: 'Withdrawn' })));

    const [requests, sends] = await Promise.all(
      ['/api/v1/requests', '/api/v1/sends?search=Withdrawn'].map(async (path) => {
        const response = await fetch(baseUrl + path, { headers });
        return z.object({ data: z.array(z.looseObject({})) }).parse(await response.json()).data;
      }),
    );

    expect(sends).toMatchObject([{ status: 'suppressed' }]);
    expect(requests?.filter(({ route }) => route === 'POST /postmark/email')).toEqual([]);
  });
});

describe('an error of Postmark’s client for Node.js', () => {
  it.each<[what: string, asked: () => Promise<unknown>, statusCode: number, code: number]>([
    ['a wrong token', () => clientWith('POSTMARK_API_TEST').sendEmail(hello()), 401, 10],
    ['an address at fault', () => postmark.sendEmail(hello({ To: 'nobody' })), 422, 300],
    ['no recipient', () => postmark.sendEmail(hello({ To: '' })), 422, 300],
    ['no body', () => postmark.sendEmail(new Message(From, 'Hi')), 422, 300],
    ['another’s domain', () => postmark.sendEmail(hello({ From: 'a@other.example' })), 422, 400],
    ['an unknown stream', () => postmark.sendEmail(hello({ MessageStream: 'news' })), 422, 1235],
    ['a tag of two words', () => postmark.sendEmail(hello({ Tag: 'two words' })), 422, 300],
    [
      'a number of a template',
      () => postmark.sendEmailWithTemplate(welcome('a@b.c', 7)),
      422,
      1101,
    ],
    ['an unknown alias', () => postmark.sendEmailWithTemplate(welcome('a@b.co', 'x')), 422, 1101],
    [
      'styles to inline',
      () => postmark.sendEmailWithTemplate({ ...welcome('a@b.co'), InlineCss: true }),
      422,
      300,
    ],
    ['too many emails', () => postmark.sendEmailBatch(Array(101).fill(hello())), 422, 410],
    ['an unknown message', () => full.getOutboundMessageDetails('b7bc2f4a'), 422, 701],
    ['too many bounces', () => full.getBounces({ count: 500, offset: 1 }), 422, 300],
    ['a bounce by its number', () => full.getBounce(7), 404, 404],
    ['templates', () => full.getTemplates(), 404, 404],
    ['a bulk request', () => full.sendBulkEmail({ From, Messages: [] }), 404, 404],
    ['sent emails', () => full.getOutboundMessages(), 404, 404],
    ['what Postmark has not', () => errorOfPath('/nothing'), 404, 404],
  ])('reports %s', async (_, asked, statusCode, code) => {
    const error = await errorOf(asked());

    expect(error).toMatchObject({ statusCode, code, message: expect.stringMatching(/\w{3}/) });
  });

  it('names the field, and its replacement here', async () => {
    const header = { Name: 'X-PM-Message-Stream', Value: 'outbound' };

    const ofHeader = await errorOf(postmark.sendEmail(hello({ Headers: [header] })));
    const ofBounce = await errorOf(full.getBounce(7));

    expect(ofHeader).toMatchObject({ message: expect.stringContaining('`Headers.0.Name`') });
    expect(ofBounce).toMatchObject({ message: expect.stringContaining('GET /postmark/bounces') });
  });

  it('arrives once a key’s cap is used up', async () => {
    const body = { name: 'capped', scopes: ['send_email'], perMinuteCap: 1 };
    const { key } = z.object({ key: z.string() }).parse(await manage('/api/v1/api-keys', body));
    const capped = clientWith(key);

    // Of three requests, at least two fall into one minute, even if a new minute starts in between.
    const error = await errorOf(
      capped
        .sendEmail(hello())
        .then(() => capped.sendEmail(hello()))
        .then(() => capped.sendEmail(hello())),
    );

    expect(error).toBeInstanceOf(Errors.RateLimitExceededError);
    expect(error).toMatchObject({ statusCode: 429, code: 429 });
  });
});

/** As the client would read it. */
async function errorOfPath(path: string) {
  const response = await fetch(`${baseUrl}/postmark${path}`);
  const { ErrorCode: code, Message: message } = z
    .object({ ErrorCode: z.int(), Message: z.string() })
    .parse(await response.json());
  throw Object.assign(new Error(message), { code, statusCode: response.status });
}

describe('a request in Postmark’s form', () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/postmark${path}`, {
      method: 'POST',
      headers: {
        'x-postmark-server-token': `re_${apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it('is one email with an idempotency key, and a new email each time without', async () => {
    const key = { 'idempotency-key': 'once' };
    const ids: unknown[] = [];
    for (const headers of [key, key, {}, {}]) {
      const answer = await post('/email', hello({ To: 'once@example.com' }), headers);
      ids.push(z.object({ MessageID: z.string() }).parse(await answer.json()).MessageID);
    }

    expect(new Set(ids).size).toBe(3);
    expect(await inboxOf('once@example.com')).toHaveLength(3);
  });

  it('may end the template path with a slash, but with nothing else', async () => {
    const withSlash = await post('/email/withTemplate/', welcome('slash@example.com'));
    const withMore = await post('/email/withTemplate/more', welcome('more@example.com'));

    expect(withSlash.status).toBe(200);
    expect(withMore.status).toBe(404);
    expect(await inboxOf('more@example.com')).toHaveLength(0);
  });

  it('may name a template by its id', async () => {
    const { From: from, To } = hello({ To: 'byid@example.com' });

    const answer = await post('/email/withTemplate', {
      ...{ From: from, To, TemplateId: templateId, TemplateModel: { name: 'Tess' } },
    });

    expect(answer.status).toBe(200);
    expect(await inboxOf('byid@example.com')).toMatchObject([{ subject: 'Welcome, Tess' }]);
  });

  it.each(postmarkApi.unsupported.flatMap(({ what, paths }) => paths.map((path) => [path, what])))(
    'is rejected at %s as %s',
    async (path, what) => {
      const answer = await post(path.replaceAll(/\{[^}]*\}/g, 'any'), {});

      expect(await answer.json()).toEqual({
        ErrorCode: 404,
        Message: expect.stringContaining(`no ${what}`),
      });
    },
  );

  it.each([
    ['{', 'application/json', 422, 402],
    ['{}', 'text/plain', 415, 409],
  ])('is rejected when its body is %j and declared as %s', async (body, type, status, code) => {
    const answer = await fetch(`${baseUrl}/postmark/email`, {
      ...{ method: 'POST', body },
      headers: { 'x-postmark-server-token': apiKey, 'content-type': type },
    });

    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ ErrorCode: code });
  });

  it('may be encoded as Rails and Symfony do it', async () => {
    const rails = {
      ...hello({ To: 'rails@example.com' }),
      Headers: [
        { Name: 'Message-Id', Value: '<5f@host.mail>' },
        { Name: 'Mime-Version', Value: '1.0' },
        { Name: 'Content-Transfer-Encoding', Value: '7bit' },
      ],
    };
    const symfony = {
      ...hello({ To: 'symfony@example.com' }),
      ...{ Cc: '', Bcc: '', ReplyTo: '', HtmlBody: null, Attachments: [], Metadata: [] },
    };

    const statuses = [await post('/email', rails), await post('/email', symfony)].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([200, 200]);
  });
});
