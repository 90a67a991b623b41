import { admitCaller } from '#shared/access/admit-caller';
import type { Role } from '#shared/access/roles';
import { noticeSchema } from '#shared/notices/notice';
import { signInText } from '#shared/notices/people-notice';
import { createSession } from '../../functions/create-session/create-session.ts';
import { endpoint, invitePerson } from '../../functions/invite-person/invite-person.ts';
import { requestSignIn } from '../../functions/request-sign-in/request-sign-in.ts';
import { openAccount } from './account.ts';
import { buildKeyring } from './keyring-builder.ts';
import { presenting } from './presenting.ts';
import { recordLog } from './recorded-log.ts';

const keyring = buildKeyring();

/** An organization whose manager invites people, who sign in by links that are filed to be mailed. */
export async function openPeople(...given: Parameters<typeof openAccount>) {
  const account = await openAccount(...given);
  const { log, lines } = recordLog();
  const signingIn = { ...account, keyring: async () => keyring };
  const invite = (email: string, role: Role = 'support') =>
    invitePerson({ caller: account.caller, body: endpoint.body.parse({ email, role }) }, account);
  const ask = (identity: string, browser = 'its browser') =>
    requestSignIn({ identity, browser }, signingIn, log);
  /** What the filed emails to people say, in the order of their links. */
  const mails = () =>
    account
      .notices()
      .filter(({ cause }) => cause === 'sign_in')
      .map((item) => {
        const notice = noticeSchema.parse(item);
        const links = { baseUrl: 'https://mail.example.com', keyring };
        const text = signInText(notice, account.organization.name, links);
        return { to: notice.to, text, link: /sign-in#(\S+)/.exec(text)?.[1] ?? '' };
      });
  /** The link of the last request. */
  const askForLink = async (identity: string, browser?: string): Promise<string> => {
    const before = new Set(mails().map(({ link }) => link));
    await ask(identity, browser);
    return mails().find(({ link }) => !before.has(link))?.link ?? '';
  };
  const follow = (link: string, browser = 'its browser', replaced?: string) =>
    createSession({ link }, account, { browser, replaced });
  return {
    ...account,
    invite,
    ask,
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
  };
}
