import { describe, expect, it } from 'vitest';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, type SendAnswer } from '../support/service-caller.ts';
import { writesAmong } from '../support/table-requests.ts';

const service = await useFaultyService();

const pathsIn = ({ problem }: SendAnswer) => problem?.errors?.map(({ path }) => path);

async function expectNothingDone(): Promise<void> {
  expect(writesAmong(service.dynamodb.requests)).toEqual([]);
  expect(service.ses.count('SendEmail')).toBe(0);
  expect(await service.inbox()).toEqual([]);
}

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `ann+${index}@example.com`);

const megabyte = 1_048_576;

// Fields alone: `test/shared/sending/request/send-request.test.ts`. These must be refused over the wire.
const refusedFields: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['no recipient', { to: undefined }, 'to'],
  ['a recipient that is a number', { to: 42 }, 'to'],
  ['a recipient with a line break', { to: 'ann@example.com\r\nBcc: eve@example.com' }, 'to'],
  ['a field that there is not', { policykey: 'bulk' }, 'policykey'],
  ['a subject of 1 MB', { subject: 'a'.repeat(megabyte) }, 'subject'],
  ['a subject with a line break', { subject: 'Hello\r\nBcc: eve@example.com' }, 'subject'],
  ['content of 3 MB', { content: 'a'.repeat(3 * megabyte) }, 'content'],
  ['a cc address with a line break', { cc: ['ben@example.com\nX-Evil: 1'] }, 'cc.0'],
  ['51 recipients', { cc: addresses(25), bcc: addresses(25) }, 'to'],
  ['a policy named like a part of every object', { policyKey: '__proto__' }, 'policyKey'],
  ['a From address with a line break', { from: 'Eve <eve@example.com>\r\nBcc: a@b.c' }, 'from'],
  [
    'a header with a line break',
    { headers: { 'X-A': 'b\r\nBcc: eve@example.com' } },
    'headers.X-A',
  ],
  ['a header that the service sets', { headers: { From: 'eve@example.com' } }, 'headers.From'],
  ['a non-ASCII idempotency key', { idempotencyKey: 'ключ' }, 'idempotencyKey'],
];

describe('a request with', () => {
  it.each(refusedFields)('%s gets a 400 that names the field', async (_, fields, path) => {
    const caller = await service.newCaller();

    const answer = await caller.send(fields);

    expect(answer.status).toBe(400);
    expect(pathsIn(answer)).toContain(path);
    await expectNothingDone();
  });

  it('two idempotency keys gets a 400', async () => {
    const caller = await service.newCaller();

    const answer = await caller.send({ idempotencyKey: 'body' }, { 'idempotency-key': 'header' });

    expect(answer.status).toBe(400);
    expect(pathsIn(answer)).toEqual(['idempotencyKey']);
    await expectNothingDone();
  });

  it.each([
    ['an empty', ''],
    ['a 256 characters long', 'k'.repeat(256)],
    ['a non-ASCII', 'clé'],
  ])('an Idempotency-Key header that is %s gets a 400 that names the header', async (_, key) => {
    const caller = await service.newCaller();

    const answer = await caller.send({}, { 'idempotency-key': key });

    expect(answer.status).toBe(400);
    expect(pathsIn(answer)).toEqual(['Idempotency-Key']);
    await expectNothingDone();
  });
});

describe('a body that is', () => {
  it.each([
    ['cut off', '{"to":"ann@example.com"', 'malformed_json'],
    ['empty', '', 'malformed_json'],
    ['no JSON', 'to=ann@example.com', 'malformed_json'],
    ['a list', '[]', 'validation_failed'],
    ['null', 'null', 'validation_failed'],
    ['a string', '"ann@example.com"', 'validation_failed'],
    ['nested 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'malformed_json'],
  ])('%s gets a 400', async (_, body, code) => {
    const caller = await service.newCaller();

    const answer = await caller.post(body);

    expect(answer).toMatchObject({ status: 400, problem: { code } });
    await expectNothingDone();
  });

  it('a form gets a 400', async () => {
    const caller = await service.newCaller();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };

    const answer = await caller.post('to=ann%40example.com', form);

    expect(answer).toMatchObject({ status: 400, problem: { code: 'unsupported_content_type' } });
    await expectNothingDone();
  });

  it('over 6 MB gets a 413', async () => {
    const caller = await service.newCaller();

    const answer = await caller.send({ content: 'a'.repeat(6 * megabyte + 1) });

    expect(answer.status).toBe(413);
    await expectNothingDone();
  });
});

describe('an unusual but valid request', () => {
  it('to a unicode domain is sent to its ASCII form', async () => {
    const caller = await service.newCaller();

    resultOf(await caller.send({ to: 'Ann@Bücher.Example', cc: 'ben@例え.テスト' }));

    expect(await service.inbox()).toMatchObject([
      { destination: { to: ['Ann@xn--bcher-kva.example'], cc: ['ben@xn--r8jz45g.xn--zckzah'] } },
    ]);
  });

  it('with 50 recipients is sent to all of them', async () => {
    const caller = await service.newCaller();

    resultOf(await caller.send({ bcc: addresses(49) }));

    expect(await service.inbox()).toMatchObject([{ destination: { bcc: addresses(49) } }]);
  });

  it('with an idempotency key of 255 characters is sent once', async () => {
    const caller = await service.newCaller();
    const key = { 'idempotency-key': '~'.repeat(255) };
    const first = resultOf(await caller.send({}, key));

    const second = resultOf(await caller.send({}, key));

    expect(second).toEqual({ ...first, reused: true });
  });

  it('with the names of recipients is sent to them by name', async () => {
    const caller = await service.newCaller();

    resultOf(
      await caller.send({ to: 'Ann <ann@example.com>', cc: '"Lee, Ben" <ben@example.com>' }),
    );

    expect(await service.inbox()).toMatchObject([
      {
        destination: {
          to: ['"Ann" <ann@example.com>'],
          cc: ['"Lee, Ben" <ben@example.com>'],
        },
      },
    ]);
  });
});
