import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { getIdentity, storeIdentityChange } from '#shared/identity/identity-store';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { endpoint } from '../../functions/get-identity/get-identity.ts';
import { tableName } from '../../infra/local/environment.ts';
import { createHandlerLoader, invokeFunction } from '../../infra/local/gateway/functions.ts';
import { confirmFromInbox } from '../support/confirmed-address.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const noticeFromEmail = 'notices@service.example';
const stack = await useTwin({
  environment: { SES_TENANTS: 'true', NOTICE_FROM_EMAIL: noticeFromEmail },
});

const { baseUrl, manageKey, operatorSecret, fromEmail } = stack;
const organizationId = organizationIdSchema.parse(stack.organizationId);
const path = '/api/v1/organization/identity';

async function call(method: string, url: string, body?: unknown, key = manageKey) {
  const response = await fetch(`${baseUrl}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-operator-secret': operatorSecret,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

const mail = { to: 'ann@example.com', subject: 'Hi', content: 'Hi' };
const send = () => call('POST', '/api/v1/emails/send', mail);
const view = async () => endpoint.answers[200].body.parse((await call('GET', path)).json);
const pause = (sendingStatus: 'DISABLED' | 'REINSTATED', cause?: string) =>
  call('POST', '/_local/ses', { tenants: { [organizationId]: { sendingStatus, cause } } });

const createdShape = z.object({
  organization: z.object({ id: organizationIdSchema }),
  apiKey: z.object({ key: z.string() }),
});

async function newOrganization(name: string) {
  const { json } = await call('POST', '/api/v1/organizations', { name });
  const { organization, apiKey } = createdShape.parse(json);
  return { id: organization.id, key: apiKey.key };
}

async function setDomain(domain: string, key: string) {
  const body = { domain, fromEmail: `hello@${domain}` };
  return endpoint.answers[200].body.parse((await call('PUT', path, body, key)).json);
}

const stateShape = z.object({ tenants: z.record(z.string(), z.unknown()) });
const tenantNames = async () =>
  Object.keys(stateShape.parse((await call('POST', '/_local/ses', {})).json).tenants);

const loadHandler = createHandlerLoader();

/** The schedule's run, with this organization due. The twin's own run may be at work on it, or have done it. */
async function sweep(id = organizationId) {
  const table = openTable(tableName);
  const { identity: before } = await getIdentity(table, id);
  if (before === undefined) return;
  const after = { ...before, nextCheckAt: 0, updatedAt: before.updatedAt + 1 };
  await storeIdentityChange(table, { before, after }, {});
  const outcome = await invokeFunction(loadHandler, 'check-identities', { scheduledRun: true });
  expect(outcome.kind).toBe('returned');
}

describe('a deployment whose organizations are SES tenants', () => {
  it('sends without a tenant until an organization has one, and then on its behalf', async () => {
    const before = await send();
    await sweep();
    const after = await send();

    expect(before.status).toBe(200);
    await vi.waitFor(
      async () => expect((await view()).tenant).toEqual({ sending: 'enabled' }),
      patience,
    );
    // SES refuses an email on a tenant's behalf unless domain and configuration set are the tenant's.
    expect(after.status).toBe(200);
  });

  it('stops sends when SES pauses the tenant, says why, and resumes when that is lifted', async () => {
    const noticeEmail = 'ops@example.com';
    await sweep();
    await call('PATCH', '/api/v1/organization', { noticeEmail });
    await confirmFromInbox(stack.inboxUrl, noticeEmail);

    await pause('DISABLED', 'High bounce rate');
    const paused = await vi.waitUntil(async () => {
      const answer = await send();
      return answer.status === 403 && answer;
    }, patience);
    const shown = (await view()).tenant;
    const notice = await vi.waitUntil(
      async () =>
        (await readInbox(stack.inboxUrl)).find(
          ({ destination, from }) =>
            destination.to.includes(noticeEmail) && from.includes(noticeFromEmail),
        ),
      patience,
    );
    await pause('REINSTATED');
    const lifted = await vi.waitUntil(async () => {
      const answer = await send();
      return answer.status === 200 && answer;
    }, patience);

    expect(paused.json).toMatchObject({ code: 'tenant_paused' });
    expect(JSON.stringify(paused.json)).toContain('High bounce rate');
    expect(shown).toEqual({ sending: 'paused', reason: 'High bounce rate' });
    expect(notice).toMatchObject({
      from: expect.stringContaining(noticeFromEmail),
      subject: 'Amazon SES has paused your sending',
    });
    expect(lifted.json).toMatchObject({ status: 'sent' });
  });

  it("removes a deleted organization's tenant and domain from SES, as others may take the domain", async () => {
    const domain = 'mail.leaver.example';
    const leaver = await newOrganization('Leaver Ltd');
    const { zoneFile } = await setDomain(domain, leaver.key);
    await call('POST', '/_local/dns', zoneFile);
    await sweep(leaver.id);
    await vi.waitFor(async () => expect(await tenantNames()).toContain(leaver.id), patience);

    await call('DELETE', `/api/v1/organizations/${leaver.id}?name=Leaver%20Ltd`);
    await sweep(leaver.id);

    await vi.waitFor(async () => expect(await tenantNames()).not.toContain(leaver.id), patience);
    const heir = await newOrganization('Heir Ltd');
    expect(await setDomain(domain, heir.key)).toMatchObject({ status: 'pending' });
  });

  it('removes the domain from the tenant, then from SES', async () => {
    await sweep();

    const removed = await call('DELETE', path);
    const [, domain = ''] = fromEmail.split('@');
    const again = await call('PUT', path, { domain, fromEmail });

    expect(removed.status).toBe(204);
    expect(again).toMatchObject({ status: 200, json: { status: 'pending' } });
  });
});
