import * as z from 'zod';

const linkSchema = z.object({ path: z.string() });

/**
 * A link that signs in to the console of the twin, once. When the kept key was revoked since, it is
 * the console itself, where one signs in with another key.
 */
export async function makeConsoleLink(baseUrl: string, manageKey: string): Promise<string> {
  const headers = { authorization: `Bearer ${manageKey}` };
  const response = await fetch(`${baseUrl}/console/links`, { method: 'POST', headers });
  const path = response.ok ? linkSchema.parse(await response.json()).path : '/console';
  return new URL(path, baseUrl).href;
}
