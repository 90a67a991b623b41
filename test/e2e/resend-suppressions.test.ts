import { Resend } from 'resend';
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/resend-answers.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey, fromEmail } = await useTwin();
const clientWith = (key: string) => new Resend(`re_${key}`, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(manageKey);

const notFound = { error: { name: 'not_found', statusCode: 404 } };

describe('suppressions, as Resend’s client sees them', () => {
  it('block emails from when they are added until they are removed', async () => {
    const email = 'ann@example.com';
    const send = async () => {
      const mail = { from: fromEmail, to: email, subject: 'Hi', text: 'Hi' };
      const { id } = dataOf(await clientWith(apiKey).emails.send(mail));
      return dataOf(await resend.emails.get(id)).last_event;
    };

    const { id } = dataOf(await resend.suppressions.add({ email }));
    expect(await send()).toBe('suppressed');
    const shown = {
      ...{ object: 'suppression', id, email, origin: 'manual', source_id: null },
      created_at: expect.stringMatching(/Z$/),
    };
    expect(dataOf(await resend.suppressions.get(email))).toEqual(shown);
    expect(dataOf(await resend.suppressions.get(id))).toEqual(shown);

    const removed = dataOf(await resend.suppressions.remove(email));

    expect(removed).toEqual({ object: 'suppression', id, deleted: true });
    expect(await send()).not.toBe('suppressed');
    expect(await resend.suppressions.get(id)).toMatchObject(notFound);
    expect(await resend.suppressions.remove(email)).toMatchObject(notFound);
  });

  it('are added and removed in batches, and listed page by page in both directions', async () => {
    const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
    const { data: added } = dataOf(await resend.suppressions.batch.add({ emails }));
    expect(added).toHaveLength(3);

    const all = dataOf(await resend.suppressions.list());
    const [first, second, third] = all.data.map(({ id }) => id);
    const page = dataOf(await resend.suppressions.list({ limit: 2 }));
    const rest = dataOf(await resend.suppressions.list({ after: second ?? '' }));
    const back = dataOf(await resend.suppressions.list({ limit: 1, before: third ?? '' }));
    const bounces = dataOf(await resend.suppressions.list({ origin: 'bounce' }));

    expect(all).toMatchObject({ object: 'list', has_more: false });
    expect(all.data.map(({ email }) => email).toSorted()).toEqual(emails);
    expect(page).toMatchObject({ has_more: true, data: [{ id: first }, { id: second }] });
    expect(rest).toMatchObject({ has_more: false, data: [{ id: third }] });
    expect(back).toMatchObject({ has_more: true, data: [{ id: second }] });
    expect(bounces.data).toEqual([]);

    const byEmail = await resend.suppressions.batch.remove({
      emails: ['a@example.com', 'nobody@example.com'],
    });
    const ids = added.map(({ id }) => id).slice(1);
    const byId = await resend.suppressions.batch.remove({ ids });

    expect(dataOf(byEmail).data).toEqual([{ ...added[0], deleted: true }]);
    expect(dataOf(byId).data).toEqual(added.slice(1).map((one) => ({ ...one, deleted: true })));
    expect(dataOf(await resend.suppressions.list()).data).toEqual([]);
  });

  it('reject a request without an address', async () => {
    const wrong = await resend.suppressions.add({ email: 'nobody' });
    const unknown = await resend.suppressions.list({ after: 'manual-con_1' });
    const empty = await resend.suppressions.batch.add({ emails: [] });

    expect(wrong.error?.message).toContain('`email`');
    expect(unknown.error?.message).toContain('`after`');
    expect(empty.error?.message).toContain('`emails`');
  });
});
