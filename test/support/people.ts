import { admitCaller } from '#shared/access/admit-caller';
import { putApiKey } from '#shared/access/api-key-store';
import { newMailedLink } from '#shared/access/mailed-link';
import { storeMailedLink } from '#shared/access/mailed-link-store';
import type { Role } from '#shared/access/roles';
import { listAuditEntries } from '#shared/audit/audit-store';
import type { OutgoingEmail, ProviderOutcome } from '#shared/email/email-provider';
import { createRefusals } from '#shared/email/refusals';
import { putOrganization } from '#shared/organizations/organization-store';
import { createSession } from '../../functions/create-session/create-session.ts';
import { endpoint, invitePerson } from '../../functions/invite-person/invite-person.ts';
import { mailSignInLinks } from '../../functions/send-notices/mail-sign-in-links.ts';
import { openAccount } from './account.ts';
import { buildManager } from './manager-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { presenting } from './presenting.ts';
import { recordLog } from './recorded-log.ts';
import { sendingOn } from './send-world.ts';

/** An organization with an address to send from, whose manager invites people, who sign in by links that are mailed. */
export async function openPeople(...given: Parameters<typeof openAccount>) {
  const account = await openAccount(...given);
  const { log, lines } = recordLog();
  const emails: OutgoingEmail[] = [];
  const world = {
    emails,
    ses: (): ProviderOutcome => ({
      kind: 'accepted',
      providerMessageId: `message-${emails.length}`,
    }),
  };
  const send = async (email: OutgoingEmail) => {
    emails.push(email);
    return world.ses();
  };
  const mailing = sendingOn(account.table, {
    now: account.now,
    email: { send, sendTest: send, refusals: createRefusals() },
  });
  const invite = (email: string, role: Role = 'support') =>
    invitePerson({ caller: account.caller, body: endpoint.body.parse({ email, role }) }, account);
  /** By another organization. */
  const inviteElsewhere = async (email: string, role: Role = 'viewer', name = 'Other Ltd') => {
    const organization = buildOrganization({ name });
    const { caller } = buildManager(organization.id);
    await putOrganization(account.table, organization);
    await putApiKey(account.table, caller.apiKey);
    const person = await invitePerson(
      { caller, body: endpoint.body.parse({ email, role }) },
      account,
    );
    const range = { before: undefined, limit: 100 };
    return {
      organization,
      person,
      caller,
      /** Newest first. */
      audit: async () =>
        (await listAuditEntries(account.table, organization.id, range, account.now())).entries,
    };
  };
  const ask = (identity: string, browser = 'its browser') =>
    storeMailedLink(account.table, newMailedLink(identity, browser, account.now()));
  const mail = () => mailSignInLinks({ ...mailing, noticeFromEmail: undefined }, log);
  /** In the order in which they were mailed. */
  const mails = () =>
    emails.map(({ to, text = '' }) => ({
      to,
      text,
      link: /sign-in#(\S+)/.exec(text)?.[1] ?? '',
    }));
  /** The link of the last request. */
  const askForLink = async (identity: string, browser?: string): Promise<string> => {
    const { length } = emails;
    await ask(identity, browser);
    await mail();
    return mails()[length]?.link ?? '';
  };
  const follow = (link: string, browser = 'its browser', replaced?: string) =>
    createSession({ link }, account, { browser, replaced });
  return Object.assign(world, {
    ...account,
    invite,
    inviteElsewhere,
    ask,
    mail,
    lines,
    mails,
    askForLink,
    follow,
    /** Signs in, and makes a first request. */
    signIn: async (identity: string): Promise<string> => {
      const { text } = await follow(await askForLink(identity));
      await admitCaller(presenting(text), account);
      return text;
    },
    /** Whoever makes a request with this session. */
    admit: (session: string) => admitCaller(presenting(session), account),
  });
}
