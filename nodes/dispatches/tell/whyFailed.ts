import { messageErrorText } from '../../../core/contract/errors';
import { reasonIn, wholeNumberIn, type ReplyEntry } from '../../../core/transport/replyShape';

/** For a recipient whom the service rejected without a reason. */
export const whyRejected =
	'The service rejected this recipient without a reason. Usually no sender name matches the operator, or the number is blacklisted.';

/** For a message that failed without an error code. */
const unexplained = 'Not delivered. The service gave no reason.';

/** Why a dispatch's message failed, in the same words in rows, lists and reports. `sentAt: null` means that it was never sent. */
export const whyFailed = (entry: ReplyEntry) => {
	const isRejected = entry.sentAt === null;
	return {
		reason:
			messageErrorText(wholeNumberIn(entry.errorCode)) ??
			reasonIn(entry) ??
			(isRejected ? whyRejected : unexplained),
		reasonCode: isRejected ? ('rejectedByService' as const) : ('notDelivered' as const),
	};
};
