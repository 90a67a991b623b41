import { describe, expect, it } from 'vitest';
import {
  findInInbox,
  type InboxEmail,
  type InboxSearch,
} from '../../../../infra/local/ses/inbox.ts';

const email = (index: number, change: Partial<InboxEmail> = {}): InboxEmail => ({
  messageId: `ses-${index}`,
  from: 'hello@mail.example.com',
  replyTo: [],
  destination: { to: [`ann${index}@example.com`], cc: [], bcc: [] },
  subject: `Receipt ${index}`,
  body: { text: 'Hello' },
  attachments: [],
  at: index,
  ...change,
});
const emails = Array.from({ length: 120 }, (_, index) => email(index));

const find = async (search: Partial<InboxSearch>, among = emails) => {
  const { entries, hasOlder } = await findInInbox(among, { limit: 50, ...search });
  return { places: entries.map(({ place }) => place), hasOlder };
};
const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first - index);

describe('the inbox', () => {
  it('lists the newest emails first, page by page, up to the last', async () => {
    expect(await find({})).toEqual({ places: from(119, 50), hasOlder: true });
    expect(await find({ before: 70 })).toEqual({ places: from(69, 50), hasOlder: true });
    expect(await find({ before: 20 })).toEqual({ places: from(19, 20), hasOlder: false });
    expect(await find({}, [])).toEqual({ places: [], hasOlder: false });
    // Of an inbox that began anew.
    expect(await find({ before: 999 })).toEqual({ places: from(119, 50), hasOlder: true });
  });

  it('returns only new emails to an open page', async () => {
    expect(await find({ from: 118 })).toEqual({ places: [119, 118], hasOlder: false });
    expect(await find({ from: 120 })).toEqual({ places: [], hasOlder: false });
  });

  it('finds words of subject and addresses in any order and case', async () => {
    const among = [
      ...emails,
      email(120, { destination: { to: ['bob@example.com'], cc: ['Carol@example.com'], bcc: [] } }),
      email(121, { subject: 'Reset your password' }),
    ];

    expect((await find({ search: 'carol' }, among)).places).toEqual([120]);
    expect((await find({ search: 'PASSWORD reset' }, among)).places).toEqual([121]);
    expect((await find({ search: 'ses-7' }, among)).places).toEqual([...from(79, 10), 7]);
    expect((await find({ search: 'nobody' }, among)).places).toEqual([]);
  });

  it('yields to other work while it searches many emails', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => email(index));
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 0);

    await findInInbox(many, { search: 'nobody', limit: 50 });

    clearInterval(count);
    expect(turns).toBeGreaterThan(1);
  });
});
