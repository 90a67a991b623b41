import { createContext } from 'preact';
import type { Answer } from '../../../api.ts';
import { ApiFailure, call, refuseFailure, send, session } from '../api-client.ts';
import { minuteText } from './format.ts';

/** The browser never keeps the key itself. */
export type Session = Answer<'GET /console/session'>;

const address = '/console/session';

/** A browser has one session for all tabs: the cookie is the host's. */
const otherTabs = new BroadcastChannel('console-session');

/** Calls back when another tab has signed in or out, or switched to another organization. */
export function followOtherTabs(onChange: () => void): void {
  otherTabs.onmessage = onChange;
}

/** Until when this browser may have a session: scripts can't see its cookie. */
const storedAs = 'console-session-until';

const noteSession = (until: number): void => {
  try {
    localStorage.setItem(storedAs, `${until}`);
  } catch {
    // The browser stores nothing for this site, so each visit asks.
  }
};

/** Most visitors without a session need no request to find out, which a browser would log as an error. */
function mayHaveSession(): boolean {
  try {
    return Date.now() < Number(localStorage.getItem(storedAs));
  } catch {
    return true;
  }
}

/**
 * @param isSigningIn whether the browser may just have got a session: the address is that of a sign-in.
 * @returns `undefined` when signed out.
 */
export async function readSession(isSigningIn: boolean): Promise<Session | undefined> {
  if (!isSigningIn && !mayHaveSession()) return undefined;
  const response = await send(address, {});
  if (response.status === 401) {
    noteSession(0);
    // An unread answer keeps its connection open.
    await response.body?.cancel();
    return undefined;
  }
  await refuseFailure(response);
  const session: Session = await response.json();
  noteSession(session.expiresAt);
  if (isSigningIn && !isTold) otherTabs.postMessage('signed in');
  isTold = true;
  return session;
}

/** Who comes back from the identity provider signed in elsewhere, so this page tells the other tabs. Once. */
let isTold = false;

/** A key, or the secret after the `#` of a sign-in link. */
type Credential = { readonly key: string } | { readonly link: string };

/** @throws ApiFailure if the credential isn't valid. */
export async function signIn(credential: Credential): Promise<void> {
  await refuseFailure(await post(address, credential));
  noteSignedIn();
}

export function noteSignedIn(): void {
  noteSession(Number.MAX_SAFE_INTEGER);
  otherTabs.postMessage('signed in');
}

/**
 * Has a link mailed, if the address may sign in. Nobody learns whether it may.
 *
 * @throws ApiFailure if too many were asked for.
 */
export async function askForLink(email: string): Promise<void> {
  try {
    await refuseFailure(await post('/console/sign-in', { email }));
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 429) throw error;
    const { retryAt = Date.now() + 3_600_000 } = error;
    const when = minuteText(retryAt, Date.now());
    const detail = `Too many links were requested. Try again after ${when}.`;
    throw new ApiFailure(429, { detail }, retryAt);
  }
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
  noteSession(0);
  otherTabs.postMessage('signed out');
}

/** For all tabs. @throws ApiFailure if the person can't sign in there. */
export async function switchOrganization(organizationId: string): Promise<void> {
  await call('POST /console/session/switch', { body: { organizationId } });
  otherTabs.postMessage('switched');
}

/** Whether it's somebody who operates the deployment, and hasn't entered an organization. */
export const isOperator = ({ person }: Session): boolean => person?.role === 'operator';

/**
 * For an operator: from an organization that they have entered back to their own session.
 *
 * @throws ApiFailure
 */
export async function leave(): Promise<void> {
  session.isVisit = false;
  await refuseFailure(await send(address, { method: 'DELETE' }));
  noteSession(Number.MAX_SAFE_INTEGER);
  otherTabs.postMessage('left');
}

/**
 * For an operator: into an organization, for an hour.
 *
 * @throws ApiFailure
 */
export async function enter(organizationId: string, reason: string): Promise<void> {
  await call('POST /console/operator/enter', { body: { organizationId, reason } });
  otherTabs.postMessage('entered');
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
