import { refuseFailure, send } from '../api-client.ts';

/** Who is signed in. The key itself is kept nowhere in the browser. */
export type Session = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly keyId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
};

const address = '/console/session';

/** @returns `undefined` if nobody is signed in. */
export async function readSession(): Promise<Session | undefined> {
  const response = await send(address, {});
  if (response.status === 401) {
    // An answer that nobody reads keeps its connection.
    await response.body?.cancel();
    return undefined;
  }
  await refuseFailure(response);
  return response.json();
}

/** A key, or what stands behind the `#` of a link that signs in once. */
export type Credential = { readonly key: string } | { readonly link: string };

/** @throws ApiFailure if the credential opens no session. */
export async function signIn(credential: Credential): Promise<void> {
  await refuseFailure(await post(address, credential));
}

/** What a sign-in link leads to. The link stays unused. */
export type LinkTarget = Pick<Session, 'organization'>;

/** @throws ApiFailure if the link is used up, too old or forged. */
export async function lookAtLink(link: string): Promise<LinkTarget> {
  const response = await post('/console/links/look', { link });
  await refuseFailure(response);
  return response.json();
}

/**
 * Shows the key again, for what a session alone may not do.
 *
 * @throws ApiFailure if it is not the key of this session.
 */
export async function confirmSession(key: string): Promise<void> {
  await refuseFailure(await post(`${address}/confirm`, { key }));
}

const post = (to: string, body: unknown): Promise<Response> =>
  send(to, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

export async function signOut(): Promise<void> {
  await refuseFailure(await send(address, { method: 'DELETE' }));
}
