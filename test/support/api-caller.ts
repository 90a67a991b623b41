type Call = { readonly body?: unknown; readonly key?: string | null };

/**
 * Calls the API of a running service, with the given key unless a call names another (`null`: none).
 *
 * @returns status, parsed body and headers of the answer, whatever they are.
 */
export const createApiCaller =
  (baseUrl: string, defaultKey: string) =>
  async (method: string, path: string, { body, key = defaultKey }: Call = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, json, headers: response.headers };
  };
