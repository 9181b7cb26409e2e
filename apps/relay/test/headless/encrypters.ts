import { findDebianProgram } from '@tabletop-relay/testing';
import type { Handshake } from '@tabletop-relay/testing/scenes';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** As the dashboard does it. */
export async function encryptInBrowser({ publicKey, nonce }: Handshake, password: string): Promise<string> {
  const der = Buffer.from(publicKey.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('spki', der, algorithm, false, ['encrypt']);
  const text = new TextEncoder().encode(JSON.stringify({ password, nonce }));
  return Buffer.from(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, imported, text)).toString('base64');
}

/** As the guide shows it. */
export async function encryptByOpenssl({ publicKey, nonce }: Handshake, password: string): Promise<string> {
  const { command, env } = await findDebianProgram('openssl');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-openssl-'));
  try {
    writeFileSync(path.join(folder, 'key.pem'), publicKey);
    const args = ['-encrypt', '-pubin', '-inkey', path.join(folder, 'key.pem')];
    const options = ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', 'rsa_mgf1_md:sha256'];
    const input = JSON.stringify({ password, nonce });
    const encrypted = execFileSync(
      command,
      ['pkeyutl', ...args, ...options.flatMap((one) => ['-pkeyopt', one])],
      { input, env: { ...process.env, ...env } },
    );
    return encrypted.toString('base64');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
