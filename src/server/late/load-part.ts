import { readMessage, readSystemCode } from '../../errors/errors.js';
import { HttpError } from '../http/http-error.js';

const missingCodes = new Set(['ENOENT', 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']);

/** Loads code on demand. @throws HttpError 503 if its files are missing, as after an upgrade */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!missingCodes.has(readSystemCode(error) ?? '')) throw error;
    throw new HttpError(
      503,
      'Service Unavailable: the installation changed while this server ran; restart it',
      {
        check: 'server',
        explain: () => ({ reason: readMessage(error) }),
      },
    );
  }
}
