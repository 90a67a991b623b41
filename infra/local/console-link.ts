import * as z from 'zod';

const linkSchema = z.object({ path: z.string() });

/** Signs in to the twin's console, once. If the stored key was revoked, links to the sign-in page. */
export async function makeConsoleLink(baseUrl: string, manageKey: string): Promise<string> {
  const headers = { authorization: `Bearer ${manageKey}` };
  const response = await fetch(`${baseUrl}/console/links`, { method: 'POST', headers });
  const path = response.ok ? linkSchema.parse(await response.json()).path : '/console';
  return new URL(path, baseUrl).href;
}
