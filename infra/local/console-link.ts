import * as z from 'zod';

const linkSchema = z.object({ path: z.string() });

/** A link that signs in to the console of the twin, once. */
export async function makeConsoleLink(baseUrl: string, manageKey: string): Promise<string> {
  const headers = { authorization: `Bearer ${manageKey}` };
  const response = await fetch(`${baseUrl}/console/links`, { method: 'POST', headers });
  return new URL(linkSchema.parse(await response.json()).path, baseUrl).href;
}
