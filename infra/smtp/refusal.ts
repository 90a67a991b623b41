/** The SMTP library replies with an error's `responseCode`. */
export class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor(code: number, text: string) {
    // RFC 5321 §4.5.3.1.5: a reply line has at most 512 octets, in ASCII.
    super(text.replaceAll(/[^ -~]/g, '?').slice(0, 480));
    this.responseCode = code;
  }
}
