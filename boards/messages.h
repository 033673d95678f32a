// Functions of the module `cwire` (wire.c) that are in messages.c.
MP_DECLARE_CONST_FUN_OBJ_3(messages_encode_obj);
MP_DECLARE_CONST_FUN_OBJ_VAR_BETWEEN(messages_decode_obj);
