import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import * as z from 'zod/mini';
import { type ApiKey, maySignInByAddress } from '#shared/access/api-key';
import {
  changeSignIns,
  endReplaced,
  type NewSession,
  sessionStarted,
} from '#shared/access/change-sign-ins';
import { readSessionText } from '#shared/access/credential-text';
import { deviceOf } from '#shared/access/device';
import { readPersonalKeys } from '#shared/access/people-store';
import { newSession, sessionMs } from '#shared/access/sign-in';
import { knowsOrigin } from '#shared/aws/settings';
import { defineEndpoint, type Parts, WithHeaders } from '#shared/endpoints/endpoint';
import { sessionCookie, sessionIn, signInBrowserIn } from '#shared/http/session-cookie';
import { sourceNetworkOf } from '#shared/http/source-address';
import { challengeIn, challengeMs, madeAt, signingInFrom } from '#shared/passkeys/challenge';
import {
  clientDataField,
  credentialIdField,
  encodedBytes,
  openedBy,
  type Passkey,
  passkeyRefused,
} from '#shared/passkeys/passkey';
import { findAccount, storePasskeys } from '#shared/passkeys/passkey-store';
import { admitPasskey, knowsStrangerRules } from '#shared/preferences/limit-strangers';
import { accountPartitions, bareAddressPartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import type { Keyring } from '#shared/tokens/signed-token';

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/session/passkey',
    access: 'anybody',
    body: z.strictObject({
      id: credentialIdField,
      clientDataJSON: clientDataField,
      authenticatorData: encodedBytes(4_096),
      signature: encodedBytes(2_048),
      // WebAuthn's 64 bytes.
      userHandle: encodedBytes(86),
    }),
    answers: {
      204: {
        description: 'You are signed in. The cookie holds the session.',
        headers: ['Set-Cookie'],
      },
    },
    errors: ['passkey_refused', 'rate_limited', 'concurrent_change'],
    admitsInOperation: true,
    uses: { keyring: readsKeyring, strangers: knowsStrangerRules, origin: knowsOrigin },
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi1'],
      writesOnlyIn: { PutItem: [accountPartitions], UpdateItem: [bareAddressPartitions] },
      signsIn: true,
      writesAudit: true,
    },
    words: {
      section: 'Console',
      summary: 'Sign in with a passkey',
      description: `Takes what the authenticator answered to \`POST /console/passkey-sign-in/options\`, in base64url, once and within ${challengeMs / 60_000} minutes. Sets the cookie of \`POST /console/session\`, for ${sessionMs / 3_600_000} hours. It’s a session of the organization where this browser is signed in with the same address, otherwise of the one that the person used last. A passkey opens nothing once its address was removed from every organization, even if it’s invited again.`,
      fields: {
        id: 'The ID of the passkey, as the authenticator made it.',
        clientDataJSON: 'What the browser told the authenticator.',
        authenticatorData: 'What the authenticator says.',
        signature: 'The authenticator’s signature of both.',
        userHandle: 'Whose passkey it is, as the authenticator keeps it.',
      },
      example: {
        body: {
          id: 'ZXhhbXBsZQ',
          clientDataJSON: 'e30',
          authenticatorData: 'oA',
          signature: 'oA',
          userHandle: 'ZXhhbXBsZQ',
        },
      },
    },
  },
  async ({ readParts, headers, source }, signingIn) => {
    const cookies = headers['cookie'];
    const from = {
      browser: signInBrowserIn(cookies),
      replaced: sessionIn(cookies),
      network: sourceNetworkOf(source, signingIn.strangers.proxiesInFront),
      device: deviceOf(headers['user-agent']),
    };
    const begun = await createPasskeySession(readParts().body, from, signingIn);
    await endReplaced(readSessionText(from.replaced), begun, signingIn);
    const cookie = sessionCookie(begun.text, begun.expiresAt, signingIn.now());
    return new WithHeaders(undefined, { 'Set-Cookie': cookie });
  },
);

type Assertion = Parts<typeof endpoint>['body'];

type From = {
  /** The cookie of the browser that asked for the challenge. */
  readonly browser: string | undefined;
  /** The session in its cookie, which the new one replaces. */
  readonly replaced: string | undefined;
  readonly network: string;
  /** What `deviceOf` calls it. */
  readonly device: string | undefined;
};

type SigningIn = TableAndClock & {
  readonly keyring: () => Promise<Keyring>;
  readonly origin: { readonly origin: string; readonly hostname: string };
};

/**
 * The challenge is used up before the session begins: if the process dies in between, the person answers another.
 * Whoever has none from here costs nothing.
 */
export async function createPasskeySession(
  assertion: Assertion,
  { browser, replaced, network, device }: From,
  signingIn: SigningIn,
): Promise<NewSession> {
  const { table, now, keyring } = signingIn;
  const challenge = challengeIn(assertion.clientDataJSON) ?? '';
  const use = browser === undefined ? undefined : signingInFrom(browser);
  const answeredAt = use && madeAt(await keyring(), use, challenge, now());
  if (answeredAt === undefined) throw passkeyRefused();
  await admitPasskey(network, signingIn);

  const { identity, passkey } = await usePasskey(
    { ...assertion, challenge, answeredAt },
    signingIn,
  );

  const personalKeys = await readPersonalKeys(table, identity);
  const ended = readSessionText(replaced);
  for (const { id } of openedBy(passkey, personalKeys, ended?.id, now())) {
    const session = await beginSession(id, { ended, device }, signingIn);
    if (session !== undefined) return session;
  }
  throw passkeyRefused();
}

type Answered = Assertion & { readonly challenge: string; readonly answeredAt: number };

/** Notes the use, so that neither this answer nor an older one counts again. */
async function usePasskey(
  answered: Answered,
  { table, now, origin }: SigningIn,
): Promise<{ readonly identity: string; readonly passkey: Passkey }> {
  const { id, userHandle, answeredAt } = answered;
  const at = now();
  const handle = Buffer.from(userHandle, 'base64url').toString('latin1');
  const account = accountHandle.test(handle) ? await findAccount(table, handle, at) : undefined;
  const passkey = account?.passkeys.find(({ credentialId }) => credentialId === id);
  if (account === undefined || passkey === undefined) throw passkeyRefused();
  if (answeredAt <= passkey.answeredAt) throw passkeyRefused();
  const { counter, backedUp } = await verifiedUse(answered, passkey, origin);
  const used = { ...passkey, counter, backedUp, answeredAt, lastUsedAt: at };
  const after = account.passkeys.map((one) => (one === passkey ? used : one));
  if (!(await storePasskeys(table, account, after))) throw passkeyRefused();
  return { identity: account.identity, passkey: used };
}

/** As `accountHandlesOf` makes them. */
const accountHandle = /^(?:[a-z2-7]{16}|[0-9a-f]{64})$/;

async function verifiedUse(
  { id, clientDataJSON, authenticatorData, signature, userHandle, challenge }: Answered,
  passkey: Passkey,
  { origin, hostname }: SigningIn['origin'],
) {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature, userHandle },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    });
    if (!verified) throw passkeyRefused();
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, backedUp: credentialBackedUp };
  } catch {
    // The library's errors quote what was sent.
    throw passkeyRefused();
  }
}

/** `undefined` if they were removed in between. */
const beginSession = (
  id: ApiKey['id'],
  { ended, device }: { readonly ended: ReturnType<typeof readSessionText> } & Pick<From, 'device'>,
  signingIn: TableAndClock,
): Promise<NewSession | undefined> =>
  changeSignIns(
    id,
    (apiKey, now) => {
      if (apiKey === undefined || !maySignInByAddress(apiKey, now)) return { result: undefined };
      const session = newSession(apiKey, { by: 'passkey', device }, now);
      return sessionStarted(apiKey, session, ended, now);
    },
    signingIn,
  );
