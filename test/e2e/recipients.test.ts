import { PutSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { endpoint } from '../../functions/explain-recipient/explain-recipient.ts';
import { endpoint as getContactEndpoint } from '../../functions/get-contact/get-contact.ts';
import { patience } from '../support/patience.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const contactSchema = getContactEndpoint.answers[200].body;

const { baseUrl, apiKey, manageKey, endpoints } = await useTwin({ hasStream: true });

const ses = new SESv2Client({
  endpoint: endpoints.sesv2,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

const get = (path: string, key = manageKey) =>
  fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });

const explain = async (email: string) =>
  endpoint.answers[200].body.parse(
    await (await get(`/recipients/${encodeURIComponent(email)}`)).json(),
  );

const send = (to: string) =>
  fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(buildSendBody({ to })),
  });

describe("the reason why somebody didn't get an email", () => {
  it('is given for a bounced address: by which email, with which reply, and what blocks it now', async () => {
    const email = 'bounce@simulator.amazonses.com';
    await send(email);
    await expect
      .poll(async () => (await explain(email)).emails[0]?.outcome, patience)
      .toMatch(/says this mailbox doesn’t exist\. The server replied: smtp; 550/);
    await send(email);
    // As SES does where the deployment wants that; it lists no address of its simulator.
    await ses.send(new PutSuppressedDestinationCommand({ EmailAddress: email, Reason: 'BOUNCE' }));

    const { obstacles, suppressions, providerList, contact, emails } = await explain(email);

    expect(obstacles).toEqual([
      expect.stringMatching(/bounced, as .*this mailbox doesn’t exist/),
      expect.stringContaining('Amazon SES'),
    ]);
    const read = contactSchema.parse(await (await get(`/contacts/${email}`)).json());
    expect(suppressions).toMatchObject([{ reason: 'bounce' }]);
    expect(suppressions).toMatchObject(read.suppressions);
    expect(providerList).toMatchObject({ state: 'listed', reason: 'bounce' });
    expect(contact).not.toBeNull();
    expect(emails.map(({ outcome }) => outcome)).toEqual([
      expect.stringContaining('Not sent: an earlier email bounced'),
      expect.stringContaining('Not delivered: '),
    ]);
  });

  it("isn't given to a key that can only send", async () => {
    expect((await get('/recipients/ann@example.com', apiKey)).status).toBe(403);
  });
});

describe('a contact', () => {
  it('is read by its address, and unknown before anything was sent to it', async () => {
    const before = await get('/contacts/zoe@example.com');
    await send('Zoe@example.com');

    const after = contactSchema.parse(await (await get('/contacts/zoe@example.com')).json());

    expect(before.status).toBe(404);
    expect(after).toMatchObject({ email: 'zoe@example.com', subscriptions: [], suppressions: [] });
  });

  it("is listed by its address's prefix until it is erased", async () => {
    await send('Yan@example.com');
    const listed = async () => (await get('/contacts?prefix=YAN')).json();
    const erase = () =>
      fetch(`${baseUrl}/api/v1/contacts/yan@example.com`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${manageKey}` },
      });

    await expect
      .poll(listed, patience)
      .toMatchObject({ data: [{ email: 'yan@example.com', suppressedFor: [] }], nextCursor: null });
    expect((await erase()).status).toBe(204);
    expect((await get('/contacts/yan@example.com')).status).toBe(404);
    await expect.poll(listed, patience).toEqual({ data: [], nextCursor: null });
  });
});
