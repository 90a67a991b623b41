type Refusal = { readonly code: string; readonly apiKeyId: string; readonly count: number };

export type RefusedAlike = Refusal;

/** How often which code came from which key, the most first. */
export function refusedAlike(refusals: readonly Refusal[]): readonly RefusedAlike[] {
  const groups = new Map<string, RefusedAlike>();
  for (const { code, apiKeyId, count } of refusals) {
    const name = `${code} ${apiKeyId}`;
    const before = groups.get(name)?.count ?? 0;
    groups.set(name, { code, apiKeyId, count: before + count });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}

/** What someone typed or pasted into the search box: a code, an endpoint, or the ID of a request. */
export function searched(text: string | undefined) {
  const isRoute = text?.includes(' /') ?? false;
  const isCode = !isRoute && /^[a-z_]+$/.test(text ?? '');
  return {
    route: isRoute ? text : undefined,
    code: isCode ? text : undefined,
    requestId: isRoute || isCode ? undefined : text,
  };
}
