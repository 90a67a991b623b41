import { refuseFailure, send } from './api-client.ts';

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
  const response = await send(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credential),
  });
  await refuseFailure(response);
}

export async function signOut(): Promise<void> {
  await refuseFailure(await send(address, { method: 'DELETE' }));
}
