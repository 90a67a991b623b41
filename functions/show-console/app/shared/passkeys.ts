import { ApiFailure, call } from '../api-client.ts';
import { noteSignedIn } from './session.ts';

/** Whether this browser has all that passkeys need. Others sign in by link. */
export const takesPasskeys: boolean =
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

const storedAs = 'console-passkey';

/** Whether somebody added or used a passkey in this browser. */
export function hasPasskey(): boolean {
  try {
    return takesPasskeys && localStorage.getItem(storedAs) !== null;
  } catch {
    return false;
  }
}

export function notePasskey(): void {
  try {
    localStorage.setItem(storedAs, 'yes');
  } catch {
    // The browser stores nothing for this site, so it offers a link first.
  }
}

/** A browser shows one question at a time: the next one ends the one before. */
let asked = new AbortController();

export function askNext(): AbortSignal {
  endQuestion();
  asked = new AbortController();
  return asked.signal;
}

export function endQuestion(): void {
  asked.abort();
}

/**
 * Signs in with a passkey that the browser asks for.
 *
 * @throws ApiFailure if there was none, or the service refused it.
 */
export async function signInByPasskey(): Promise<void> {
  const signal = askNext();
  const options = await call('POST /console/passkey-sign-in/options', {});
  await answer(await nowAsked(() => assertion(options, { signal })));
}

/**
 * Has the browser offer passkeys where the address is typed, until the page goes or another question is asked.
 *
 * @returns whether somebody signed in.
 */
export async function offerPasskeys(): Promise<boolean> {
  const signal = askNext();
  if (!takesPasskeys || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) {
    return false;
  }
  for (let rounds = 0; rounds < maxRounds; rounds += 1) {
    const options = await call('POST /console/passkey-sign-in/options', {}, signal);
    const round = new AbortController();
    const stop = () => round.abort();
    signal.addEventListener('abort', stop);
    // A later answer would be refused.
    const timer = setTimeout(stop, options.timeout * 0.9);
    try {
      const question = { signal: round.signal, mediation: 'conditional' } as const;
      await answer(await assertion(options, question));
      return true;
    } catch (error) {
      if (signal.aborted || !round.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
  return false;
}

/** A page that nobody comes back to doesn't ask forever. */
const maxRounds = 6;

type Question = Pick<CredentialRequestOptions, 'signal' | 'mediation'>;

async function assertion(options: PublicKeyCredentialRequestOptionsJSON, question: Question) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey, ...question });
  const given = credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  if (given === undefined || !('signature' in given.response)) throw noPasskey();
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = given.response;
  return { id: given.id, clientDataJSON, authenticatorData, signature, userHandle };
}

async function answer(body: Awaited<ReturnType<typeof assertion>>): Promise<void> {
  await call('POST /console/session/passkey', { body });
  notePasskey();
  noteSignedIn();
}

/** A browser's own words are for developers, and the same for all that may have gone wrong. */
export async function nowAsked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw error.name === 'InvalidStateError' ? alreadyThere() : noPasskey();
  }
}

const noPasskey = (): ApiFailure =>
  new ApiFailure(0, { detail: 'The browser gave no passkey. Try again, or use a link by email.' });

const alreadyThere = (): ApiFailure =>
  new ApiFailure(0, { detail: 'This device already has a passkey for your address.' });
