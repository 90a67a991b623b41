import dns from 'node:dns';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { simpleParser } from 'mailparser';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallDeadline } from '#shared/email/email-provider';
import {
  createSesEmailProvider,
  openSesClient,
  type SesSettings,
} from '#shared/email/ses-email-provider';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { holdTimeout } from '../../support/held-timeout.ts';
import { buildOutgoingEmail } from '../../support/outgoing-email-builder.ts';
import { patience } from '../../support/patience.ts';
import { serveUntilEnd } from '../../support/server-until-end.ts';
import {
  acceptWith,
  refuseWith,
  startSesServer,
  stubSesEndpoint,
} from '../../support/ses-server.ts';

const settings: SesSettings = {
  configurationSetName: 'email-service',
  callTimeoutMs: 60_000,
  retryBudgetMs: 5_000,
};

const within = (ms: number, longest = ms): CallDeadline => ({
  beginsBefore: Date.now() + ms,
  endsBefore: Date.now() + longest,
});

/** Provides one email through the client that the service uses. */
function provide(
  changed: Partial<SesSettings> = {},
  deadline = within(60_000),
  isShedFirst = false,
) {
  const client = openSesClient({ connectMs: 60_000 });
  const provider = createSesEmailProvider(client, { ...settings, ...changed });
  return provider(buildOutgoingEmail({ isShedFirst }), deadline);
}

const throttle = refuseWith(429, 'TooManyRequestsException');

/** The clock stands until the test lets time pass, and no wait takes time. */
function holdClock() {
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  const jitter = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => {
    clock.mockRestore();
    jitter.mockRestore();
  });
  return {
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const unknownName = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });

/** Names resolve to this machine, or fail, one answer a question. */
function resolveNames(...answers: readonly (Error | null | (() => Error))[]) {
  let questions = 0;
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...question: unknown[]) => {
    const answer = answers[Math.min(questions, answers.length - 1)];
    questions += 1;
    const done = question.at(-1);
    if (typeof done !== 'function') throw new Error('expected a callback');
    const error = typeof answer === 'function' ? answer() : answer;
    done(error, [{ address: '127.0.0.1', family: 4 }]);
  });
  onTestFinished(() => lookup.mockRestore());
}

describe('an email of an organization that sends more than its share', () => {
  it('is handed over once, and not again when SES throttles', async () => {
    const ses = await startSesServer(throttle);

    const outcome = await provide({}, undefined, true);

    expect(outcome).toEqual({ kind: 'throttled' });
    expect(ses.calls).toHaveLength(1);
  });
});

describe('an answer of SES', () => {
  it('with a message id is an acceptance', async () => {
    const ses = await startSesServer(acceptWith('0102019a-message'));

    expect(await provide()).toEqual({ kind: 'accepted', providerMessageId: '0102019a-message' });
    expect(ses.calls).toHaveLength(1);
  });

  it.each([
    [400, 'MessageRejected'],
    [400, 'MailFromDomainNotVerifiedException'],
    [400, 'AccountSuspendedException'],
    [400, 'SendingPausedException'],
    [400, 'BadRequestException'],
    [404, 'NotFoundException'],
    [403, 'AccessDeniedException'],
    [403, 'ExpiredTokenException'],
  ])('of %i %s is a definite no, asked for once', async (status, errorType) => {
    const ses = await startSesServer(refuseWith(status, errorType));

    expect(await provide()).toEqual({ kind: 'refused', reason: errorType });
    expect(ses.calls).toHaveLength(1);
  });

  it.each([
    [500, 'InternalServiceErrorException'],
    [502, 'BadGateway'],
    [503, 'ServiceUnavailable'],
    [408, 'RequestTimeoutException'],
  ])('of %i %s leaves the outcome unknown after one attempt', async (status, errorType) => {
    const ses = await startSesServer(refuseWith(status, errorType));

    expect(await provide()).toMatchObject({ kind: 'unknown', cause: { name: errorType } });
    expect(ses.calls).toHaveLength(1);
  });

  it.each([
    ['without a message id', '{}'],
    ['that is cut off', '{"MessageId":'],
    ['that is no JSON', '<html>'],
  ])('of 200 %s leaves the outcome unknown after one attempt', async (_what, body) => {
    const ses = await startSesServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );

    expect(await provide()).toMatchObject({ kind: 'unknown' });
    expect(ses.calls).toHaveLength(1);
  });
});

describe('throttling', () => {
  it.each([
    [429, 'TooManyRequestsException'],
    [400, 'LimitExceededException'],
    [400, 'ThrottlingException'],
    [400, 'Throttling'],
  ])('as %i %s is tried again until SES accepts', async (status, errorType) => {
    holdClock();
    const ses = await startSesServer((response, attempt) =>
      (attempt < 3 ? refuseWith(status, errorType) : acceptWith('message-3'))(response),
    );

    expect(await provide()).toEqual({ kind: 'accepted', providerMessageId: 'message-3' });
    expect(ses.calls).toHaveLength(3);
  });

  it('ends with the next definite answer', async () => {
    holdClock();
    const ses = await startSesServer((response, attempt) =>
      (attempt === 1 ? throttle : refuseWith(400, 'MessageRejected'))(response),
    );

    expect(await provide()).toEqual({ kind: 'refused', reason: 'MessageRejected' });
    expect(ses.calls).toHaveLength(2);
  });

  it('ends in an unknown outcome when a retry gets no answer, and is not tried again', async () => {
    holdClock();
    const ses = await startSesServer((response, attempt) => {
      if (attempt === 1) throttle(response);
      else response.destroy();
    });

    expect(await provide()).toMatchObject({ kind: 'unknown' });
    expect(ses.calls).toHaveLength(2);
  });

  it('for good is given up when the next wait may outlast the budget', async () => {
    const clock = holdClock();
    const ses = await startSesServer((response) => {
      clock.pass(600);
      throttle(response);
    });

    const outcome = await provide({ retryBudgetMs: 2_000 });

    // They begin at 0, 600 and 1,200 ms. After the third the wait may be 400 ms.
    expect(outcome).toEqual({ kind: 'throttled' });
    expect(ses.calls).toHaveLength(3);
  });

  it('is given up when no call may begin any more', async () => {
    const clock = holdClock();
    const ses = await startSesServer((response) => {
      clock.pass(600);
      throttle(response);
    });

    const outcome = await provide({}, within(1_000, 60_000));

    expect(outcome).toEqual({ kind: 'throttled' });
    expect(ses.calls).toHaveLength(2);
  });
});

describe('an email whose time is over', () => {
  const tooLate = { kind: 'unreachable', cause: { name: 'CallTooLate' } };

  it('before the first call is not handed over', async () => {
    holdClock();
    const ses = await startSesServer(acceptWith('message-1'));

    expect(await provide({}, within(0, 60_000))).toMatchObject(tooLate);
    expect(ses.calls).toEqual([]);
  });

  it('is not handed over by a sandbox that freezes while it signs the call', async () => {
    const clock = holdClock();
    const ses = await startSesServer(acceptWith('message-1'));
    const client = openSesClient({ connectMs: 60_000 });
    client.middlewareStack.add(
      (next) => async (args) => {
        clock.pass(30_000);
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const provider = createSesEmailProvider(client, settings);

    const outcome = await provider(buildOutgoingEmail(), within(30_000, 60_000));

    expect(outcome).toMatchObject(tooLate);
    expect(ses.calls).toEqual([]);
  });
});

describe('an SES that cannot be reached', () => {
  it('has heard nothing, when its name is not resolved', async () => {
    stubSesEndpoint('http://ses.example');
    resolveNames(unknownName);

    const outcome = await provide({ retryBudgetMs: 200 });

    expect(outcome).toEqual({ kind: 'unreachable', cause: unknownName });
  });

  it('has heard nothing, when the connection is refused', async () => {
    const { url, stop } = await serveUntilEnd(createServer());
    await stop();
    stubSesEndpoint(url);

    const outcome = await provide({ retryBudgetMs: 200 });

    expect(outcome).toMatchObject({ kind: 'unreachable', cause: { code: 'ECONNREFUSED' } });
  });

  it('has heard nothing, when the TLS handshake gets no answer for a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const silent = createTcpServer((socket) =>
      socket.once('data', () => vi.advanceTimersByTime(1_000)),
    );
    const { port } = await serveUntilEnd(silent);
    stubSesEndpoint(`https://127.0.0.1:${port}`);
    const provider = createSesEmailProvider(openSesClient(), { ...settings, retryBudgetMs: 50 });

    const outcome = await provider(buildOutgoingEmail(), within(60_000));

    expect(outcome).toMatchObject({
      kind: 'unreachable',
      cause: { message: 'no connection within 1000 ms' },
    });
  });

  it('is tried again, and may accept then', async () => {
    holdClock();
    const ses = await startSesServer(acceptWith('message-1'));
    stubSesEndpoint(`http://ses.example:${ses.port}`);
    resolveNames(unknownName, unknownName, null);

    expect(await provide()).toEqual({ kind: 'accepted', providerMessageId: 'message-1' });
    expect(ses.calls).toHaveLength(1);
  });

  it('is what is told last, when it throttled before', async () => {
    const clock = holdClock();
    const ses = await startSesServer((response) =>
      throttle(response.setHeader('connection', 'close')),
    );
    stubSesEndpoint(`http://ses.example:${ses.port}`);
    resolveNames(null, () => {
      clock.pass(5_000);
      return unknownName;
    });

    expect(await provide()).toMatchObject({ kind: 'unreachable' });
    expect(ses.calls).toHaveLength(1);
  });
});

describe('silence of SES', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['before any answer', () => {}],
    [
      'in the middle of an answer',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"Mess');
      },
    ],
  ])('%s is given up after the call timeout, with one attempt', async (_when, answer) => {
    const callTimeout = holdTimeout();
    const ses = await startSesServer((response) => {
      answer(response);
      callTimeout.end();
    });

    const outcome = await provide({ callTimeoutMs: 300 });

    expect(outcome).toMatchObject({ kind: 'unknown', cause: expect.any(Error) });
    expect(callTimeout.asked).toHaveBeenCalledExactlyOnceWith(300);
    expect(ses.calls).toHaveLength(1);
  });

  it('is given up when the lease ends, before the call timeout', async () => {
    holdClock();
    const callTimeout = holdTimeout();
    const ses = await startSesServer(() => callTimeout.end());

    const outcome = await provide({ callTimeoutMs: 60_000 }, within(300));

    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(callTimeout.asked).toHaveBeenCalledExactlyOnceWith(300);
    expect(ses.calls).toHaveLength(1);
  });

  it('with a reset connection leaves the outcome unknown after one attempt', async () => {
    const ses = await startSesServer((response) => response.destroy());

    expect(await provide()).toMatchObject({ kind: 'unknown', cause: expect.any(Error) });
    expect(ses.calls).toHaveLength(1);
  });
});

describe('a connection to SES', () => {
  it('is used again', async () => {
    const ses = await startSesServer(acceptWith('message-1'));
    const provider = createSesEmailProvider(openSesClient({ idleMs: 60_000 }), settings);

    await provider(buildOutgoingEmail(), within(60_000));
    await provider(buildOutgoingEmail(), within(60_000));

    expect(ses.connections.opened).toBe(1);
  });

  it('is closed when it was idle for long', async () => {
    const ses = await startSesServer(acceptWith('message-1'));
    const provider = createSesEmailProvider(openSesClient({ idleMs: 50 }), settings);
    await provider(buildOutgoingEmail(), within(60_000));

    await expect.poll(() => ses.connections.closed, patience).toBe(1);
    await provider(buildOutgoingEmail(), within(60_000));

    expect(ses.connections.opened).toBe(2);
  });

  it('stays open while SES is slow to answer', async () => {
    const ses = await startSesServer((response) => {
      setTimeout(() => acceptWith('message-1')(response), 400);
    });
    const provider = createSesEmailProvider(openSesClient({ idleMs: 100 }), settings);

    const outcome = await provider(buildOutgoingEmail(), within(60_000));

    expect(outcome).toEqual({ kind: 'accepted', providerMessageId: 'message-1' });
    expect(ses.calls).toHaveLength(1);
  });
});

describe('the call to SES', () => {
  const inputOf = async (email: Parameters<typeof buildOutgoingEmail>[0]) => {
    const client = mockClient(SESv2Client);
    onTestFinished(() => client.restore());
    client.on(SendEmailCommand).resolves({ MessageId: 'message-1' });
    const provider = createSesEmailProvider(new SESv2Client({ region: 'eu-west-1' }), settings);

    await provider(buildOutgoingEmail(email), within(60_000));

    const [call, ...others] = client.commandCalls(SendEmailCommand);
    expect(others).toEqual([]);
    return call?.args[0].input;
  };

  it('holds the email, its headers and tags and the configuration set, and nothing else', async () => {
    const email = buildOutgoingEmail({
      to: [buildEmailAddress('Ann@Example.com')],
      cc: [buildEmailAddress('bob@example.com')],
      bcc: [buildEmailAddress('cy@münchen.de')],
      subject: 'Größe 😀',
      text: 'Text',
      html: '<p>HTML</p>',
      headers: [{ name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' }],
    });

    expect(await inputOf(email)).toEqual({
      FromEmailAddress: 'hello@mail.example.com',
      Destination: {
        ToAddresses: ['Ann@example.com'],
        CcAddresses: ['bob@example.com'],
        BccAddresses: ['cy@xn--mnchen-3ya.de'],
      },
      Content: {
        Simple: {
          Subject: { Data: 'Größe 😀', Charset: 'UTF-8' },
          Body: {
            Text: { Data: 'Text', Charset: 'UTF-8' },
            Html: { Data: '<p>HTML</p>', Charset: 'UTF-8' },
          },
          Headers: [{ Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' }],
        },
      },
      EmailTags: [
        { Name: 'feedback-id', Value: email.feedbackId },
        { Name: 'ses:feedback-id-a', Value: email.feedbackId },
        { Name: 'ses:feedback-id-b', Value: email.organizationId },
      ],
      ConfigurationSetName: 'email-service',
    });
  });

  it('names sender and reply-to address of the organization, if it has them', async () => {
    const input = await inputOf({
      senderName: 'Example "E" Ltd',
      replyTo: ['help@example.com', 'Jürgen <j@example.com>'],
    });

    expect(input?.FromEmailAddress).toBe('"Example \\"E\\" Ltd" <hello@mail.example.com>');
    expect(input?.ReplyToAddresses).toEqual([
      'help@example.com',
      '=?UTF-8?B?SsO8cmdlbg==?= <j@example.com>',
    ]);
  });

  it('names recipients as the request does, in 7-bit text', async () => {
    const ann = { address: 'ann@example.com', identity: 'ann@example.com' };
    const input = await inputOf({
      to: [{ ...ann, name: 'Lee, Ann' }, ann],
      cc: [{ ...ann, name: 'Jürgen' }],
    });

    expect(input?.Destination).toEqual({
      ToAddresses: ['"Lee, Ann" <ann@example.com>', 'ann@example.com'],
      CcAddresses: ['=?UTF-8?B?SsO8cmdlbg==?= <ann@example.com>'],
      BccAddresses: [],
    });
  });

  it('cuts names in mailboxes that are too long for SES, and never an address', async () => {
    const name = '名'.repeat(100);
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
    const addresses = ['ann@example.com', longest];
    const input = await inputOf({
      senderName: name,
      fromEmail: longest,
      replyTo: addresses.map((address) => `${name} <${address}>`),
      to: addresses.map((address) => ({ name, address, identity: address })),
    });

    const ofLongest = [
      input?.FromEmailAddress,
      input?.ReplyToAddresses?.[1],
      input?.Destination?.ToAddresses?.[1],
    ];
    const ofAnn = [input?.ReplyToAddresses?.[0], input?.Destination?.ToAddresses?.[0]];
    for (const mailbox of [...ofLongest, ...ofAnn]) {
      expect(mailbox?.length).toBeLessThanOrEqual(320);
    }
    const read = async (mailbox = '') =>
      (await simpleParser(`From: ${mailbox}\r\n\r\n`)).from?.value[0];
    expect(await Promise.all(ofLongest.map(read))).toEqual(
      ofLongest.map(() => ({ address: longest, name: name.slice(0, 12) })),
    );
    expect(await Promise.all(ofAnn.map(read))).toEqual(
      ofAnn.map(() => ({ address: 'ann@example.com', name: name.slice(0, 60) })),
    );
  });

  it('names the tenant in whose name it goes, where there is one', async () => {
    expect(await inputOf({ tenantName: 'org_a' })).toMatchObject({ TenantName: 'org_a' });
    expect(await inputOf({})).not.toHaveProperty('TenantName');
  });

  it('holds each attachment as bytes, to go out in base64 and as a file', async () => {
    const bytes = Uint8Array.of(0, 13, 10, 46, 255);

    const input = await inputOf({
      attachments: [{ filename: 'Größe 😀.bin', contentType: 'application/x-size', bytes }],
    });

    expect(input?.Content?.Simple?.Attachments).toEqual([
      {
        FileName: 'Größe 😀.bin',
        RawContent: bytes,
        ContentType: 'application/x-size',
        ContentDisposition: 'ATTACHMENT',
        ContentTransferEncoding: 'BASE64',
      },
    ]);
  });

  it('shows an attachment with a content id inside the HTML', async () => {
    const bytes = Uint8Array.of(1);
    const image = { filename: 'logo.png', contentType: 'image/png', bytes };

    const input = await inputOf({ attachments: [{ ...image, contentId: 'logo' }, image] });

    expect(input?.Content?.Simple?.Attachments).toMatchObject([
      { ContentDisposition: 'INLINE', ContentId: 'logo' },
      { ContentDisposition: 'ATTACHMENT' },
    ]);
    expect(input?.Content?.Simple?.Attachments?.[1]).not.toHaveProperty('ContentId');
  });

  it('leaves the type of an attachment to SES, unless its name tells none', async () => {
    const bytes = Uint8Array.of(1);

    const input = await inputOf({
      attachments: [
        { filename: 'a.pdf', contentType: undefined, bytes },
        { filename: 'README', contentType: undefined, bytes },
      ],
    });

    const types = input?.Content?.Simple?.Attachments?.map(({ ContentType }) => ContentType);
    expect(types).toEqual([undefined, 'application/octet-stream']);
  });

  it('has no HTML part when the email has none', async () => {
    const input = await inputOf({ html: undefined });

    expect(input?.Content?.Simple?.Body).toEqual({
      Text: { Data: 'Thank you.', Charset: 'UTF-8' },
    });
  });
});
