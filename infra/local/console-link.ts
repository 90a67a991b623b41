import * as z from 'zod';

const linkSchema = z.object({ path: z.string() });

/** The link signs in once. If the stored key was revoked, it's the sign-in page's. */
export async function makeConsoleLink(baseUrl: string, manageKey: string): Promise<string> {
  const headers = { authorization: `Bearer ${manageKey}` };
  const response = await fetch(`${baseUrl}/console/links`, { method: 'POST', headers });
  const path = response.ok ? linkSchema.parse(await response.json()).path : '/console';
  return new URL(path, baseUrl).href;
}

export type SignedIn = {
  /** Relative, because the cookie is for the host that the browser used. */
  readonly location: string;
  readonly cookie?: string;
};

/**
 * Opens a page of the console in a browser on this machine, without pasting a key or confirming anything.
 *
 * @param cookie the browser's, whose session is reused.
 */
export async function signInTo(
  page: string,
  { baseUrl, manageKey }: { readonly baseUrl: string; readonly manageKey: string },
  cookie: string | undefined,
): Promise<SignedIn> {
  const session = `${baseUrl}/console/session`;
  if (cookie !== undefined && (await fetch(session, { headers: { cookie } })).ok) {
    return { location: page };
  }
  const { hash } = new URL(await makeConsoleLink(baseUrl, manageKey));
  return signInWith(hash.slice(1), { baseUrl, page });
}

/** @param cookie of the browser that a mailed link is for. */
export async function signInWith(
  link: string,
  {
    baseUrl,
    page,
    cookie,
  }: { readonly baseUrl: string; readonly page: string; readonly cookie?: string },
): Promise<SignedIn> {
  const begun = await fetch(`${baseUrl}/console/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(cookie !== undefined && { cookie, origin: baseUrl }),
    },
    body: JSON.stringify({ link }),
  });
  const [made] = begun.headers.getSetCookie();
  if (!begun.ok || made === undefined) return { location: page };
  // The console looks for a session there, also where it knew of none.
  return { location: `/console/sign-in?to=${encodeURIComponent(page)}`, cookie: made };
}
