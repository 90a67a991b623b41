import * as z from 'zod/mini';
import {
  authenticate,
  maySignIn,
  maySignInByAddress,
  mistypedApiKey,
  parseApiKey,
} from '#shared/access/api-key';
import {
  changeSignIns,
  endReplaced,
  linkNotFound,
  type NewSession,
  sessionStarted,
} from '#shared/access/change-sign-ins';
import { readCredential, readSessionText } from '#shared/access/credential-text';
import { deviceOf } from '#shared/access/device';
import { requireSameBrowser } from '#shared/access/mailed-link';
import { findMailedLink, takeMailedLink } from '#shared/access/mailed-link-store';
import { requireScope } from '#shared/access/scopes';
import { findSignIn, maxSessions, newSession, sessionMs } from '#shared/access/sign-in';
import { allowsKeySignIn } from '#shared/aws/settings';
import { defineEndpoint, type Parts, WithHeaders } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { sessionCookie, sessionIn, signInBrowserIn } from '#shared/http/session-cookie';
import { mailedLinkPartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';
import type { ApiKeyId } from '#shared/tokens/resource-id';

const credential = z.string().check(z.minLength(1), z.maxLength(200));

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/session',
    access: 'anybody',
    body: z
      .strictObject({
        key: z.optional(credential),
        link: z.optional(credential),
      })
      .check(
        z.refine(({ key, link }) => key !== undefined || link !== undefined, {
          error: 'is required unless link is set',
          path: ['key'],
        }),
        z.refine(({ key, link }) => key === undefined || link === undefined, {
          error: 'can’t be combined with key: sign in with one of them',
          path: ['link'],
        }),
      )
      .register(z.globalRegistry, { minProperties: 1, maxProperties: 1 }),
    answers: {
      204: {
        description: 'You are signed in. The cookie holds the session.',
        headers: ['Set-Cookie'],
      },
    },
    errors: [
      'invalid_api_key',
      'missing_scope',
      'link_not_found',
      'other_browser',
      'key_sign_in_off',
      'concurrent_change',
    ],
    admitsInOperation: true,
    uses: { keySignIn: allowsKeySignIn },
    lambda: {
      stack: 'Console',
      tableActions: ['DeleteItem', 'GetItem'],
      writesOnlyIn: { DeleteItem: [mailedLinkPartitions] },
      signsIn: true,
      writesAudit: true,
    },
    words: {
      section: 'Console',
      summary: 'Sign in to the console',
      description: `With an API key that has \`manage_organization\`, or with a sign-in link, which works once. A link that was mailed works only in the browser that asked for it. The answer sets the cookie \`__Host-session\`: \`HttpOnly\`, \`Secure\`, \`SameSite=Strict\`, for ${sessionMs / 3_600_000} hours. The console’s requests carry it instead of the key. Requests other than \`GET\` need the \`Origin\` of this service. A session may do what its key may, or its person’s role. It ends when the key is revoked, expires or, if it’s a program’s, loses \`manage_organization\`, and when the person is removed. A key has at most ${maxSessions} sessions; the next one ends the oldest.`,
      fields: {
        key: 'The API key. Send this or `link`.',
        link: 'The part of a sign-in link after the `#`.',
      },
      example: { body: { key: exampleIds.apiKeyText } },
    },
  },
  // A form on another site can't sign anyone in: sending JSON needs a preflight, which nothing here answers.
  async ({ readParts, headers }, signingIn) => {
    const cookies = headers['cookie'];
    const from = {
      browser: signInBrowserIn(cookies),
      replaced: sessionIn(cookies),
      device: deviceOf(headers['user-agent']),
    };
    const begun = await createSession(readParts().body, signingIn, from);
    await endReplaced(readSessionText(from.replaced), begun, signingIn);
    const cookie = sessionCookie(begun.text, begun.expiresAt, signingIn.now());
    return new WithHeaders(undefined, { 'Set-Cookie': cookie });
  },
);

/**
 * Signs in with a key that may manage its organization, or with a link. If the answer is lost, the unused session
 * expires.
 */
export const createSession = (
  { key, link }: Parts<typeof endpoint>['body'],
  signingIn: SigningIn,
  from: From = {},
): Promise<NewSession> =>
  link === undefined ? createWithKey(key, from, signingIn) : createWithLink(link, from, signingIn);

type SigningIn = TableAndClock & {
  /** Whether keys, and links made with them, sign in. Default: they do. */
  readonly keySignIn?: boolean;
};

type From = {
  /** Names the browser, if it asked for a link. */
  readonly browser?: string | undefined;
  /** The session in its cookie, which the new one replaces. */
  readonly replaced?: string | undefined;
  /** What `deviceOf` calls it. */
  readonly device?: string | undefined;
};

async function createWithKey(
  key: string | undefined,
  { device, replaced }: From,
  signingIn: SigningIn,
): Promise<NewSession> {
  if (signingIn.keySignIn === false) throw new ServiceError('key_sign_in_off');
  const presented = parseApiKey(key);
  if (presented.isSession) throw mistypedApiKey();
  return changeSignIns(
    presented.id,
    (stored, now) => {
      const apiKey = authenticate(presented, stored, now);
      requireScope(apiKey, 'manage_organization');
      return sessionStarted(
        apiKey,
        newSession(apiKey, { by: 'key', device }, now),
        readSessionText(replaced),
        now,
      );
    },
    signingIn,
  );
}

async function createWithLink(
  link: string,
  { browser, replaced, device }: From,
  signingIn: SigningIn,
): Promise<NewSession> {
  const presented = readCredential(link);
  if (presented?.kind === 'mailedLink') {
    const id = await takeKeyOfMailedLink(presented, browser, signingIn);
    return changeSignIns(
      id,
      (apiKey, now) => {
        if (apiKey === undefined || !maySignInByAddress(apiKey, now)) throw linkNotFound();
        // It shows who has the mailbox, as a key shows who has the key.
        const session = newSession(apiKey, { by: 'mail', device }, now);
        return sessionStarted(apiKey, session, readSessionText(replaced), now);
      },
      signingIn,
    );
  }
  if (presented?.kind !== 'link') throw linkNotFound();
  const { id, secretHash } = presented;
  return changeSignIns(
    id,
    (apiKey, now) => {
      const found = findSignIn(apiKey?.signIns, { kind: 'link', secretHash }, now);
      if (apiKey === undefined || found === undefined) throw linkNotFound();
      if (!maySignIn(apiKey, now)) throw linkNotFound();
      if (signingIn.keySignIn === false) throw new ServiceError('key_sign_in_off');
      return sessionStarted(
        apiKey,
        newSession(apiKey, { by: 'link', device }, now),
        presented,
        now,
      );
    },
    signingIn,
  );
}

/** Uses the link up before the session starts: if that fails, its person asks for another. */
async function takeKeyOfMailedLink(
  presented: { readonly id: string; readonly secretHash: string },
  browser: string | undefined,
  { table, now }: TableAndClock,
): Promise<ApiKeyId> {
  const link = await findMailedLink(table, presented, now());
  if (link === undefined) throw linkNotFound();
  requireSameBrowser(link, browser);
  if (!(await takeMailedLink(table, link))) throw linkNotFound();
  return link.made.keyId;
}
