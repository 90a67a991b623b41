/**
 * Whether a caller takes an answer in this encoding, by its `Accept-Encoding` (RFC 9110 §12.5.3). A quality of 0 is a no.
 * `*` doesn't count: clients that want an encoding name it.
 */
export const takesEncoding = (encoding: 'br' | 'gzip', acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
