import * as z from 'zod';

const linkSchema = z.object({ path: z.string() });

/** The link signs in once. If the stored key was revoked, it's the sign-in page's. */
export async function makeConsoleLink(baseUrl: string, manageKey: string): Promise<string> {
  const headers = { authorization: `Bearer ${manageKey}` };
  const response = await fetch(`${baseUrl}/console/links`, { method: 'POST', headers });
  const path = response.ok ? linkSchema.parse(await response.json()).path : '/console';
  return new URL(path, baseUrl).href;
}
