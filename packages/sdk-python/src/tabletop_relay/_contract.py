# Generated from packages/contract/src and package.json by `pnpm docs:generate`; a test compares it.
"""Facts of the contract that the clients need."""


VERSION = "0.2.0"


ADDRESSES = {
    "listClients": "/clients",
    "createStreamTicket": "/events/tickets",
    "createKeyRequest": "/auth/key-request",
    "pollKeyRequest": "/auth/key-request/:code/status",
    "exchangeKeyRequest": "/auth/key-request/exchange",
    "getStatus": "/api/status",
}


CHANNEL_PATHS = {
    "hooks": "/hooks/subscribe",
    "combat": "/encounters/subscribe",
    "actor": "/actor/subscribe",
    "scene": "/scene/subscribe",
    "chat": "/chat/subscribe",
    "rolls": "/rolls/subscribe",
}
