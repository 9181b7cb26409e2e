import { readableAnswer } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import type { SendMail } from './mail.ts';
import type { Message } from './message.ts';
import { mailOf } from './shapes/mail-shape.ts';

export interface MailDelivery {
  sendMail: SendMail;
  to: string;
  message: Message;
  /** The host of PUBLIC_URL. */
  domain: string;
}

/** Gives a mail to the mail server once. Never throws: a failure is a `Delivery` too. */
export async function deliverMail({ sendMail, to, message, domain }: MailDelivery): Promise<Delivery> {
  const mail = mailOf(message, to, domain);
  const sent = `${mail.subject}\n\n${mail.text}`;
  try {
    const answer = readableAnswer((await sendMail(mail)) ?? '');
    return { delivered: true, status: readStatus(answer), answer, sent };
  } catch (error) {
    const { code, responseCode, response } = error as {
      code?: string;
      responseCode?: number;
      response?: string;
    };
    return {
      delivered: false,
      status: responseCode ?? null,
      answer: readableAnswer(response ?? `no answer of the mail server (${code ?? 'unknown'})`),
      // 5xx is for good, but 530 to 538 are about the relay's own sign-in there.
      ...(responseCode && responseCode >= 540 && { isFinal: true as const }),
      sent,
    };
  }
}

const readStatus = (answer: string) => Number(/^\d{3}/.exec(answer)?.[0] ?? 0) || null;
