import { createContext } from 'preact';
import type { Answer } from '../../../api.ts';
import { refuseFailure, send } from '../api-client.ts';

/** The browser never keeps the key itself. */
export type Session = Answer<'GET /console/session'>;

const address = '/console/session';

/** A browser has one session for all tabs: the cookie is the host's. */
const otherTabs = new BroadcastChannel('console-session');

/** Calls back when another tab has signed in or out. */
export function followOtherTabs(onChange: () => void): void {
  otherTabs.onmessage = onChange;
}

/** @returns `undefined` when signed out. */
export async function readSession(): Promise<Session | undefined> {
  const response = await send(address, {});
  if (response.status === 401) {
    // An unread answer keeps its connection open.
    await response.body?.cancel();
    return undefined;
  }
  await refuseFailure(response);
  return response.json();
}

/** A key, or the secret after the `#` of a sign-in link. */
type Credential = { readonly key: string } | { readonly link: string };

/** @throws ApiFailure if the credential isn't valid. */
export async function signIn(credential: Credential): Promise<void> {
  await refuseFailure(await post(address, credential));
  otherTabs.postMessage('signed in');
}

/**
 * Confirms the key, for actions that need more than a session.
 *
 * @throws ApiFailure if it isn't this session's key.
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
  otherTabs.postMessage('signed out');
}

type SignedIn = {
  readonly session: Session | undefined;
  /** Reads the session again, as the organization's name may have changed. */
  readonly reload: () => Promise<void>;
};

/** So that pages can mark the reader's own key. */
export const SessionContext = createContext<SignedIn>({
  session: undefined,
  reload: async () => {},
});
